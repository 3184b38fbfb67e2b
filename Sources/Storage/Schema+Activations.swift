extension Schema {
    /// Version 3: new devices that ask to be let in, by whatever name they ask for, and users who let in nobody.
    static let activationRequests = [
        """
        CREATE TABLE activation_requests (
            id TEXT NOT NULL PRIMARY KEY,
            user_name TEXT CHECK (length(user_name) BETWEEN 1 AND 64),
            device_name TEXT NOT NULL CHECK (length(device_name) BETWEEN 1 AND 512),
            thumbprint TEXT NOT NULL CHECK (length(thumbprint) = 43),
            jwk TEXT NOT NULL,
            address TEXT CHECK (length(address) BETWEEN 1 AND 64),
            state TEXT NOT NULL CHECK (state IN ('offered', 'waiting', 'approved', 'fallback', 'rejected', 'cancelled',
                'expired', 'activated')),
            notification TEXT REFERENCES notifications (id),
            match_code TEXT CHECK (length(match_code) = 2),
            approver TEXT REFERENCES devices (id),
            device TEXT REFERENCES devices (id),
            created_at BIGINT NOT NULL,
            asked_at BIGINT,
            expires_at BIGINT NOT NULL,
            version BIGINT NOT NULL,
            CHECK (state <> 'waiting' OR (match_code IS NOT NULL AND asked_at IS NOT NULL)),
            CHECK (state <> 'approved' OR approver IS NOT NULL),
            CHECK ((state = 'activated') = (device IS NOT NULL))
        )
        """,
        // As many as are asked for, whether or not there is such a user.
        """
        CREATE INDEX activation_requests_asked ON activation_requests (user_name, asked_at)
            WHERE user_name IS NOT NULL AND asked_at IS NOT NULL
        """,
        """
        CREATE INDEX activation_requests_open ON activation_requests (thumbprint)
            WHERE state IN ('offered', 'waiting', 'approved', 'fallback')
        """,
        "CREATE INDEX activation_requests_by_end ON activation_requests (expires_at)",
        """
        CREATE TABLE activation_blocks (
            user_name TEXT NOT NULL PRIMARY KEY REFERENCES users (name),
            at BIGINT NOT NULL
        )
        """,
    ]
}
