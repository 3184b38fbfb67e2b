extension NotificationRow {
    /// What a notification became, and when: made, or ended.
    package struct Change: Sendable, Hashable {
        package let id: String
        package let status: Status
        /// Milliseconds since 1970.
        package let at: Int64

        fileprivate init(_ row: SQLRow) throws {
            id = try row.text("id")
            status = try row.word("status")
            at = try row.integer("at")
        }
    }

    /// The query of what became of a user's notifications at a time or after, oldest first, and its values.
    package static func changesQuery(of userName: String, since: Int64, limit: Int) -> (String, [SQLValue]) {
        (
            """
            SELECT id, status, created_at AS at FROM notifications
            WHERE user_name = $1 AND changed_at IS NULL AND created_at >= $2
            UNION ALL
            SELECT id, status, changed_at AS at FROM notifications
            WHERE user_name = $1 AND changed_at IS NOT NULL AND changed_at >= $2
            ORDER BY at, id LIMIT $3
            """, [.text(userName), .integer(since), .integer(Int64(limit))]
        )
    }

    /// What became of a user's notifications at a time or after, oldest first.
    package static func changes(
        of userName: String, since: Int64, limit: Int, on connection: any SQLConnection
    ) throws -> [Change] {
        let (sql, values) = changesQuery(of: userName, since: since, limit: limit)
        return try connection.rows(sql, values).map(Change.init)
    }

    /// When the first of those that are not closed is over, in milliseconds since 1970; nil where there is none.
    package static func nextEnd(of userName: String, on connection: any SQLConnection) throws -> Int64? {
        try connection.row(
            "SELECT MIN(expires_at) AS at FROM notifications WHERE user_name = $1 AND changed_at IS NULL",
            [.text(userName)]
        )?.optionalInteger("at")
    }

    /// What waits for a user, as changes, oldest first.
    package static func pendingChanges(
        of userName: String, at now: Int64, limit: Int, on connection: any SQLConnection
    ) throws -> [Change] {
        try connection.rows(
            """
            SELECT id, status, created_at AS at FROM notifications
            WHERE user_name = $1 AND changed_at IS NULL AND expires_at > $2 ORDER BY created_at, id LIMIT $3
            """, [.text(userName), .integer(now), .integer(Int64(limit))]
        ).map(Change.init)
    }
}
