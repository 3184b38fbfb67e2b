extension Schema {
    /// Version 1.
    static let firstTables = [
        """
        CREATE TABLE store (
            one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
            id TEXT NOT NULL,
            issuer TEXT NOT NULL CHECK (length(issuer) BETWEEN 1 AND 1024),
            created_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE settings (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE users (
            name TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
            password TEXT,
            locked BIGINT NOT NULL CHECK (locked IN (0, 1)),
            created_at BIGINT NOT NULL,
            password_set_at BIGINT,
            version BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE ledgers (
            user_name TEXT NOT NULL PRIMARY KEY CHECK (length(user_name) BETWEEN 1 AND 64),
            wrong BIGINT NOT NULL CHECK (wrong >= 0),
            wrong_total BIGINT NOT NULL CHECK (wrong_total >= 0),
            rounds BIGINT NOT NULL CHECK (rounds >= 0),
            blocked_until BIGINT,
            needs_operator BIGINT NOT NULL CHECK (needs_operator IN (0, 1)),
            touched_at BIGINT NOT NULL,
            version BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE attempts (
            id TEXT NOT NULL PRIMARY KEY,
            user_name TEXT NOT NULL REFERENCES ledgers (user_name) ON DELETE CASCADE,
            ceremony TEXT NOT NULL,
            expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX attempts_by_user ON attempts (user_name)",
        """
        CREATE TABLE keys (
            kid TEXT NOT NULL PRIMARY KEY CHECK (length(kid) = 43),
            purpose TEXT NOT NULL CHECK (purpose IN ('sign', 'root')),
            algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'EdDSA', 'ES384', 'PS256', 'RS256')),
            state TEXT NOT NULL CHECK (state IN ('published', 'active', 'retired', 'revoked')),
            jwk TEXT NOT NULL,
            sealed BYTEA,
            published_at BIGINT NOT NULL,
            activated_at BIGINT,
            retired_at BIGINT,
            revoked_at BIGINT,
            revocation TEXT CHECK (revocation IN ('superseded', 'compromised')),
            version BIGINT NOT NULL,
            CHECK ((state = 'revoked') = (revoked_at IS NOT NULL AND revocation IS NOT NULL))
        )
        """,
        """
        CREATE TABLE histories (
            serial BIGINT NOT NULL PRIMARY KEY CHECK (serial > 0),
            at BIGINT NOT NULL,
            text TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE ceremonies (
            id TEXT NOT NULL PRIMARY KEY,
            session TEXT NOT NULL,
            user_name TEXT NOT NULL CHECK (length(user_name) BETWEEN 1 AND 64),
            generation BIGINT NOT NULL CHECK (generation >= 0),
            state TEXT NOT NULL CHECK (state IN ('challenged', 'completed', 'failed', 'cancelled', 'expired')),
            payload TEXT NOT NULL CHECK (length(payload) BETWEEN 1 AND 4096),
            reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1024),
            level BIGINT NOT NULL CHECK (level IN (0, 1, 4)),
            type BIGINT NOT NULL CHECK (type IN (0, 1)),
            audience TEXT,
            device TEXT,
            issued_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            wrong BIGINT NOT NULL CHECK (wrong >= 0),
            code BIGINT,
            jti TEXT,
            version BIGINT NOT NULL,
            CHECK ((state = 'completed') = (jti IS NOT NULL))
        )
        """,
        "CREATE INDEX ceremonies_by_end ON ceremonies (expires_at)",
        "CREATE INDEX ceremonies_by_session ON ceremonies (session, generation)",
        "CREATE UNIQUE INDEX ceremonies_open_by_session ON ceremonies (session) WHERE state = 'challenged'",
        "CREATE INDEX ceremonies_open_by_user ON ceremonies (user_name) WHERE state = 'challenged'",
        """
        CREATE TABLE statements (
            jti TEXT NOT NULL PRIMARY KEY,
            ceremony TEXT NOT NULL UNIQUE,
            user_name TEXT NOT NULL CHECK (length(user_name) BETWEEN 1 AND 64),
            issued_at BIGINT NOT NULL,
            level BIGINT NOT NULL CHECK (level IN (0, 1, 4)),
            type BIGINT NOT NULL CHECK (type IN (0, 1)),
            kid TEXT NOT NULL REFERENCES keys (kid),
            payload TEXT NOT NULL CHECK (length(payload) BETWEEN 1 AND 4096),
            reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1024),
            audience TEXT,
            text TEXT NOT NULL CHECK (length(text) <= 16384),
            folded TEXT NOT NULL
        )
        """,
        "CREATE INDEX statements_by_time ON statements (issued_at)",
        """
        CREATE TABLE audit (
            seq BIGINT NOT NULL PRIMARY KEY CHECK (seq > 0),
            at BIGINT NOT NULL,
            event TEXT NOT NULL,
            user_name TEXT,
            ceremony TEXT,
            jti TEXT,
            digest TEXT CHECK (length(digest) = 64),
            length BIGINT CHECK (length >= 0),
            level BIGINT,
            type BIGINT,
            method TEXT,
            result BIGINT NOT NULL,
            detail TEXT
        )
        """,
        "CREATE INDEX audit_by_time ON audit (at)",
    ]
}
