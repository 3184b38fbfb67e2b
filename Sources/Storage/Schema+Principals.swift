extension Schema {
    /// Version 2, the first part: a name has a ledger for each purpose. The old rows are those of step-up.
    static let ledgersByPurpose = [
        "DROP INDEX attempts_by_user",
        "ALTER TABLE attempts RENAME TO attempts_before",
        "ALTER TABLE ledgers RENAME TO ledgers_before",
        """
        CREATE TABLE ledgers (
            user_name TEXT NOT NULL CHECK (length(user_name) BETWEEN 1 AND 64),
            purpose TEXT NOT NULL CHECK (purpose IN ('step-up', 'login')),
            wrong BIGINT NOT NULL CHECK (wrong >= 0),
            wrong_total BIGINT NOT NULL CHECK (wrong_total >= 0),
            rounds BIGINT NOT NULL CHECK (rounds >= 0),
            blocked_until BIGINT,
            needs_operator BIGINT NOT NULL CHECK (needs_operator IN (0, 1)),
            touched_at BIGINT NOT NULL,
            version BIGINT NOT NULL,
            PRIMARY KEY (user_name, purpose)
        )
        """,
        """
        CREATE TABLE attempts (
            id TEXT NOT NULL PRIMARY KEY,
            user_name TEXT NOT NULL,
            purpose TEXT NOT NULL,
            ceremony TEXT NOT NULL,
            expires_at BIGINT NOT NULL,
            FOREIGN KEY (user_name, purpose) REFERENCES ledgers (user_name, purpose) ON DELETE CASCADE
        )
        """,
        """
        INSERT INTO ledgers (user_name, purpose, wrong, wrong_total, rounds, blocked_until, needs_operator, touched_at,
            version)
        SELECT user_name, 'step-up', wrong, wrong_total, rounds, blocked_until, needs_operator, touched_at, version
        FROM ledgers_before
        """,
        """
        INSERT INTO attempts (id, user_name, purpose, ceremony, expires_at)
        SELECT id, user_name, 'step-up', ceremony, expires_at FROM attempts_before
        """,
        "DROP TABLE attempts_before",
        "DROP TABLE ledgers_before",
        "CREATE INDEX attempts_by_ledger ON attempts (user_name, purpose)",
    ]

    /// Version 2, the second part: who may call a service, and what it answered.
    static let principals = [
        """
        CREATE TABLE devices (
            id TEXT NOT NULL PRIMARY KEY,
            user_name TEXT NOT NULL REFERENCES users (name),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 512),
            thumbprint TEXT NOT NULL UNIQUE CHECK (length(thumbprint) = 43),
            jwk TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('active', 'deleted')),
            created_at BIGINT NOT NULL,
            last_access_at BIGINT NOT NULL,
            version BIGINT NOT NULL
        )
        """,
        "CREATE INDEX devices_by_user ON devices (user_name, created_at)",
        """
        CREATE TABLE clients (
            name TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
            secret BYTEA CHECK (length(secret) = 32),
            jwk TEXT,
            locked BIGINT NOT NULL CHECK (locked IN (0, 1)),
            created_at BIGINT NOT NULL,
            version BIGINT NOT NULL,
            CHECK ((secret IS NULL) <> (jwk IS NULL))
        )
        """,
        """
        CREATE TABLE sessions (
            id TEXT NOT NULL PRIMARY KEY,
            role TEXT NOT NULL CHECK (role IN ('person', 'service', 'operator')),
            user_name TEXT REFERENCES users (name),
            device TEXT REFERENCES devices (id),
            client TEXT REFERENCES clients (name),
            thumbprint TEXT CHECK (length(thumbprint) = 43),
            access BYTEA NOT NULL UNIQUE CHECK (length(access) = 32),
            auth_time BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            last_used_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            access_expires_at BIGINT NOT NULL,
            CHECK ((role = 'person') = (user_name IS NOT NULL AND device IS NOT NULL)),
            CHECK ((role = 'service') = (client IS NOT NULL)),
            CHECK (role = 'service' OR thumbprint IS NOT NULL)
        )
        """,
        "CREATE INDEX sessions_by_user ON sessions (user_name, created_at) WHERE user_name IS NOT NULL",
        "CREATE INDEX sessions_of_operators ON sessions (created_at) WHERE role = 'operator'",
        "CREATE INDEX sessions_by_device ON sessions (device) WHERE device IS NOT NULL",
        "CREATE INDEX sessions_by_client ON sessions (client) WHERE client IS NOT NULL",
        "CREATE INDEX sessions_by_end ON sessions (expires_at)",
        """
        CREATE TABLE refreshes (
            hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            used_at BIGINT
        )
        """,
        "CREATE INDEX refreshes_by_session ON refreshes (session)",
        "CREATE INDEX refreshes_by_use ON refreshes (used_at) WHERE used_at IS NOT NULL",
        """
        CREATE TABLE activations (
            selector TEXT NOT NULL PRIMARY KEY,
            user_name TEXT NOT NULL UNIQUE REFERENCES users (name),
            tag BYTEA NOT NULL CHECK (length(tag) = 32),
            wrong BIGINT NOT NULL CHECK (wrong >= 0),
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX activations_by_end ON activations (expires_at)",
        """
        CREATE TABLE operator_tokens (
            one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
            hash BYTEA NOT NULL CHECK (length(hash) = 32),
            expires_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE replies (
            owner TEXT NOT NULL CHECK (length(owner) BETWEEN 1 AND 256),
            key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
            digest BYTEA NOT NULL CHECK (length(digest) = 32),
            status BIGINT,
            body BYTEA,
            ceremony TEXT,
            at BIGINT NOT NULL,
            PRIMARY KEY (owner, key),
            CHECK ((status IS NULL) = (body IS NULL)),
            CHECK ((body IS NULL) <> (ceremony IS NULL))
        )
        """,
        "CREATE INDEX replies_by_time ON replies (at)",
        "CREATE INDEX users_with_password ON users (name) WHERE password IS NOT NULL",
        "CREATE INDEX statements_by_user ON statements (user_name, issued_at)",
        "CREATE INDEX statements_by_audience ON statements (audience, issued_at) WHERE audience IS NOT NULL",
    ]
}
