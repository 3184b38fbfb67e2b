extension Schema {
    /// Version 3, the first part: the table that every signature writes, made anew to cost less. A check by `IN` with three values has
    /// SQLite make a table for each row that is added; and a statement that is its own ceremony, as at level 0, is found by its `jti`. Several
    /// statements may come from one ceremony, each with its place.
    static let cheaperRows = [
        "DROP INDEX statements_by_time",
        "DROP INDEX statements_by_user",
        "DROP INDEX statements_by_audience",
        "ALTER TABLE statements RENAME TO statements_before",
        """
        CREATE TABLE statements (
            jti TEXT NOT NULL PRIMARY KEY,
            ceremony TEXT NOT NULL,
            user_name TEXT NOT NULL CHECK (length(user_name) BETWEEN 1 AND 64),
            issued_at BIGINT NOT NULL,
            level BIGINT NOT NULL CHECK (level = 0 OR level = 1 OR level = 4),
            type BIGINT NOT NULL CHECK (type = 0 OR type = 1),
            kid TEXT NOT NULL REFERENCES keys (kid),
            payload TEXT NOT NULL CHECK (length(payload) BETWEEN 1 AND 4096),
            reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1024),
            audience TEXT,
            text TEXT NOT NULL CHECK (length(text) <= 16384),
            folded TEXT NOT NULL,
            place BIGINT NOT NULL DEFAULT 0 CHECK (place >= 0),
            reference TEXT
        )
        """,
        """
        INSERT INTO statements (jti, ceremony, user_name, issued_at, level, type, kid, payload, reason, audience, text,
            folded)
        SELECT jti, ceremony, user_name, issued_at, level, type, kid, payload, reason, audience, text, folded
        FROM statements_before
        """,
        "DROP TABLE statements_before",
        "CREATE UNIQUE INDEX statements_by_ceremony ON statements (ceremony, place) WHERE ceremony <> jti",
        "CREATE INDEX statements_by_time ON statements (issued_at)",
        "CREATE INDEX statements_by_user ON statements (user_name, issued_at)",
        "CREATE INDEX statements_by_audience ON statements (audience, issued_at) WHERE audience IS NOT NULL",
        "ALTER TABLE ceremonies ADD COLUMN batch TEXT",
    ]
}
