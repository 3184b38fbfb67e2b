extension Schema {
    /// Version 3, the third part: what relying services ask of persons, and groups of persons.
    static let requests = [
        """
        CREATE TABLE requests (
            id TEXT NOT NULL PRIMARY KEY,
            client TEXT NOT NULL REFERENCES clients (name),
            requester TEXT,
            group_name TEXT,
            payload TEXT NOT NULL,
            reason TEXT NOT NULL,
            level BIGINT NOT NULL,
            type BIGINT NOT NULL,
            required BIGINT NOT NULL CHECK (required >= 1),
            quorum TEXT,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'declined', 'expired', 'cancelled')),
            changed_at BIGINT,
            version BIGINT NOT NULL,
            CHECK ((state = 'pending') = (changed_at IS NULL))
        )
        """,
        "CREATE INDEX requests_by_client ON requests (client, created_at, id)",
        "CREATE INDEX requests_pending ON requests (expires_at) WHERE state = 'pending'",
        // No reference to users: a service may ask for a name that nobody has, and does not learn that.
        """
        CREATE TABLE request_persons (
            request TEXT NOT NULL REFERENCES requests (id),
            user_name TEXT NOT NULL,
            client TEXT NOT NULL,
            expires_at BIGINT NOT NULL,
            answer TEXT NOT NULL CHECK (answer IN ('waiting', 'signed', 'declined', 'over')),
            jti TEXT,
            PRIMARY KEY (request, user_name),
            CHECK ((answer = 'signed') = (jti IS NOT NULL))
        )
        """,
        """
        CREATE INDEX request_persons_waiting ON request_persons (user_name, expires_at, client)
            WHERE answer = 'waiting'
        """,
        """
        CREATE TABLE person_groups (
            name TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
            created_at BIGINT NOT NULL,
            changed_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE group_members (
            group_name TEXT NOT NULL REFERENCES person_groups (name),
            user_name TEXT NOT NULL REFERENCES users (name),
            PRIMARY KEY (group_name, user_name)
        )
        """,
        "ALTER TABLE ceremonies ADD COLUMN request TEXT",
        "ALTER TABLE ceremonies ADD COLUMN quorum TEXT",
    ]
}
