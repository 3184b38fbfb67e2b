extension NotificationRow {
    /// What the history of a user is narrowed to. Empty: everything.
    package struct Filter: Sendable, Hashable {
        package var status: Status?
        /// The action that was performed.
        package var action: String?
        /// Somewhere in subject or message of any language, in either case.
        package var keyword: String?
        /// Sent to this device or answered by it.
        package var device: String?
        /// Ended at or after, milliseconds since 1970.
        package var since: Int64?
        /// Ended before.
        package var until: Int64?
        package var enterprise: String?

        package init(
            status: Status? = nil, action: String? = nil, keyword: String? = nil, device: String? = nil,
            since: Int64? = nil, until: Int64? = nil, enterprise: String? = nil
        ) {
            self.status = status
            self.action = action
            self.keyword = keyword
            self.device = device
            self.since = since
            self.until = until
            self.enterprise = enterprise
        }
    }

    /// The query of a page of a user's history, newest first, and its values. Whatever is asked for is found by an index in the
    /// order of the page, but for the keyword, which is looked for in what the others leave.
    package static func historyQuery(of userName: String, _ filter: Filter, page: Page) -> (String, [SQLValue]) {
        var conditions = Conditions()
        conditions.add("n.user_name", "=", .text(userName))
        conditions.add("n.changed_at IS NOT NULL")
        conditions.add("n.status", "=", SQLValue(filter.status?.rawValue))
        conditions.add("n.action", "=", SQLValue(filter.action))
        conditions.add("n.enterprise", "=", SQLValue(filter.enterprise))
        conditions.add("n.folded", contains: filter.keyword.map(FoldedText.init))
        guard let device = filter.device else {
            conditions.add("n.changed_at", ">=", SQLValue(filter.since))
            conditions.add("n.changed_at", "<", SQLValue(filter.until))
            let sql = "SELECT \(columns) FROM notifications n\(conditions.sql) ORDER BY n.changed_at DESC, n.id DESC"
            return (sql + conditions.page(page), conditions.values)
        }
        conditions.add("d.device", "=", .text(device))
        conditions.add("d.changed_at IS NOT NULL")
        conditions.add("d.changed_at", ">=", SQLValue(filter.since))
        conditions.add("d.changed_at", "<", SQLValue(filter.until))
        // CROSS: the device's entries first, in their order.
        let sql = """
            SELECT \(columns) FROM notification_devices d CROSS JOIN notifications n\(conditions.sql)
            AND n.id = d.notification ORDER BY d.changed_at DESC, d.notification DESC
            """
        return (sql + conditions.page(page), conditions.values)
    }

    /// A page of a user's history, newest first.
    package static func history(
        of userName: String, _ filter: Filter, page: Page, on connection: any SQLConnection
    ) throws -> [NotificationRow] {
        let (sql, values) = historyQuery(of: userName, filter, page: page)
        return try connection.rows(sql, values).map(NotificationRow.init)
    }

    /// What waits about a request or an activation, oldest first.
    package static func listPending(aboutID id: String, on connection: any SQLConnection) throws -> [NotificationRow] {
        try connection.rows(
            """
            SELECT \(columns) FROM notifications n WHERE n.matter_id = $1 AND n.changed_at IS NULL
            ORDER BY n.created_at, n.id
            """, [.text(id)]
        ).map(NotificationRow.init)
    }

    /// All that anybody is asked and that waits, oldest first.
    package static func listQuestions(on connection: any SQLConnection) throws -> [NotificationRow] {
        try connection.rows(
            """
            SELECT \(columns) FROM notifications n WHERE n.changed_at IS NULL AND (n.origin <> 'service' OR n.matter <> 'message')
            ORDER BY n.created_at, n.id
            """
        ).map(NotificationRow.init)
    }

    /// Whether a notification was sent to a device.
    package static func isSent(_ id: String, to device: String, on connection: any SQLConnection) throws -> Bool {
        try connection.row(
            "SELECT device FROM notification_devices WHERE notification = $1 AND device = $2",
            [.text(id), .text(device)]) != nil
    }

    /// The query of a page of what waits for a user, newest first, and its values.
    ///
    /// - Parameter now: milliseconds since 1970; what has ended by then does not wait.
    package static func pendingQuery(
        of userName: String, at now: Int64, since: Int64?, until: Int64?, page: Page
    ) -> (String, [SQLValue]) {
        var conditions = Conditions()
        conditions.add("n.user_name", "=", .text(userName))
        conditions.add("n.changed_at IS NULL")
        conditions.add("n.expires_at", ">", .integer(now))
        conditions.add("n.created_at", ">=", SQLValue(since))
        conditions.add("n.created_at", "<", SQLValue(until))
        let sql = "SELECT \(columns) FROM notifications n\(conditions.sql) ORDER BY n.created_at DESC, n.id DESC"
        return (sql + conditions.page(page), conditions.values)
    }

    /// A page of what waits for a user, newest first.
    package static func pending(
        of userName: String, at now: Int64, since: Int64? = nil, until: Int64? = nil, page: Page = .first,
        on connection: any SQLConnection
    ) throws -> [NotificationRow] {
        let (sql, values) = pendingQuery(of: userName, at: now, since: since, until: until, page: page)
        return try connection.rows(sql, values).map(NotificationRow.init)
    }

    /// Those of a user that nobody answered in time and that are not closed yet, oldest first.
    package static func overdue(
        of userName: String, at now: Int64, on connection: any SQLConnection
    ) throws -> [NotificationRow] {
        try connection.rows(
            """
            SELECT \(columns) FROM notifications n
            WHERE n.user_name = $1 AND n.changed_at IS NULL AND n.expires_at <= $2 ORDER BY n.created_at, n.id
            """, [.text(userName), .integer(now)]
        ).map(NotificationRow.init)
    }

    /// How many messages wait for a user that somebody else than the service itself has made, those that are over but not closed
    /// yet included.
    ///
    /// - Parameter client: only those that this relying service asked for; nil: all.
    package static func countPending(
        of userName: String, client: String? = nil, on connection: any SQLConnection
    ) throws -> Int {
        var conditions = Conditions()
        conditions.add("user_name", "=", .text(userName))
        conditions.add("changed_at IS NULL")
        conditions.add("origin <> 'service'")
        conditions.add("matter = 'message'")
        conditions.add("client", "=", SQLValue(client))
        let row = try connection.row("SELECT COUNT(*) AS n FROM notifications\(conditions.sql)", conditions.values)
        return try row?.int("n") ?? 0
    }
}
