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

    /// A page of a user's history, newest first, as far as one answer goes. Any one filter is found by an index in the order of the
    /// page; of several, and for the keyword, the rest is looked for in what that leaves.
    package static func history(
        of userName: String, _ filter: Filter, page: Page, on connection: any SQLConnection
    ) throws -> Portion<NotificationRow> {
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
            return try conditions.portion(
                "SELECT \(columns) FROM notifications n", " ORDER BY n.changed_at DESC, n.id DESC", page: page,
                on: connection, of: NotificationRow.init, size: \.size)
        }
        conditions.add("d.device", "=", .text(device))
        conditions.add("d.changed_at IS NOT NULL")
        conditions.add("d.changed_at", ">=", SQLValue(filter.since))
        conditions.add("d.changed_at", "<", SQLValue(filter.until))
        conditions.add("n.id = d.notification")
        // CROSS: the device's entries first, in their order.
        return try conditions.portion(
            "SELECT \(columns) FROM notification_devices d CROSS JOIN notifications n",
            " ORDER BY d.changed_at DESC, d.notification DESC", page: page, on: connection, of: NotificationRow.init,
            size: \.size)
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

    /// A page of what waits for a user, newest first, as far as one answer goes.
    ///
    /// - Parameter now: milliseconds since 1970; what has ended by then does not wait.
    package static func pending(
        of userName: String, at now: Int64, since: Int64? = nil, until: Int64? = nil, page: Page = .first,
        on connection: any SQLConnection
    ) throws -> Portion<NotificationRow> {
        var conditions = Conditions()
        conditions.add("n.user_name", "=", .text(userName))
        conditions.add("n.changed_at IS NULL")
        conditions.add("n.expires_at", ">", .integer(now))
        conditions.add("n.created_at", ">=", SQLValue(since))
        conditions.add("n.created_at", "<", SQLValue(until))
        return try conditions.portion(
            "SELECT \(columns) FROM notifications n", " ORDER BY n.created_at DESC, n.id DESC", page: page,
            on: connection, of: NotificationRow.init, size: \.size)
    }

    /// What the service itself told a user of changes and what waits, newest first.
    package static func pendingNotices(
        of userName: String, at now: Int64, on connection: any SQLConnection
    ) throws -> [NotificationRow] {
        try connection.rows(
            """
            SELECT \(columns) FROM notifications n WHERE n.user_name = $1 AND n.changed_at IS NULL AND n.expires_at > $2
                AND n.origin = 'service' AND n.matter = 'message'
            ORDER BY n.created_at DESC, n.id DESC
            """, [.text(userName), .integer(now)]
        ).map(NotificationRow.init)
    }

    /// Its bytes in an answer, more or less.
    private var size: Int { content.utf8.count + 512 }

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
