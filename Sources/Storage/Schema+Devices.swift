extension Schema {
    /// Version 3, the first part: devices that can be blocked, and when a user's devices were changed.
    static let devices = [
        // The column is made anew for its third word; the check of the old one goes with it.
        "ALTER TABLE devices RENAME COLUMN state TO state_before",
        """
        ALTER TABLE devices ADD COLUMN state TEXT NOT NULL DEFAULT 'active'
            CHECK (state IN ('active', 'blocked', 'deleted'))
        """,
        "UPDATE devices SET state = state_before",
        "ALTER TABLE devices DROP COLUMN state_before",
        "ALTER TABLE devices ADD COLUMN activated_at BIGINT NOT NULL DEFAULT 0",
        "UPDATE devices SET activated_at = created_at",
        "ALTER TABLE devices ADD COLUMN blocked_at BIGINT",
        """
        CREATE TABLE device_changes (
            user_name TEXT NOT NULL PRIMARY KEY REFERENCES users (name),
            times TEXT NOT NULL CHECK (length(times) <= 65536),
            until BIGINT,
            version BIGINT NOT NULL
        )
        """,
    ]
}
