extension Schema {
    /// Version 3: which devices are enrolled for push challenges, and where their pushes go.
    static let push = [
        """
        CREATE TABLE push_tokens (
            device TEXT NOT NULL PRIMARY KEY REFERENCES devices (id),
            transport TEXT NOT NULL CHECK (length(transport) BETWEEN 1 AND 32),
            environment TEXT NOT NULL CHECK (environment IN ('production', 'development')),
            token TEXT CHECK (length(token) BETWEEN 2 AND 512),
            changed_at BIGINT NOT NULL
        )
        """
    ]
}
