extension OutboxRow {
    /// What a list is narrowed to. Empty: everything.
    package struct Filter: Sendable, Hashable {
        package var state: State?
        package var transport: Transport?
        package var userName: String?
        package var notification: String?
        /// Made at or after, milliseconds since 1970.
        package var since: Int64?
        /// Made before.
        package var until: Int64?

        package init(
            state: State? = nil, transport: Transport? = nil, userName: String? = nil, notification: String? = nil,
            since: Int64? = nil, until: Int64? = nil
        ) {
            self.state = state
            self.transport = transport
            self.userName = userName
            self.notification = notification
            self.since = since
            self.until = until
        }

        fileprivate var conditions: Conditions {
            var conditions = Conditions()
            // The index of what is not delivered is a small one: it is used where the condition says so.
            if let state, state != .delivered { conditions.add("state <> 'delivered'") }
            conditions.add("state", "=", SQLValue(state?.rawValue))
            conditions.add("transport", "=", SQLValue(transport?.rawValue))
            conditions.add("user_name", "=", SQLValue(userName))
            conditions.add("notification", "=", SQLValue(notification))
            conditions.add("created_at", ">=", SQLValue(since))
            conditions.add("created_at", "<", SQLValue(until))
            return conditions
        }
    }

    /// A page of those that the filter lets through, newest first.
    package static func list(
        _ filter: Filter = Filter(), page: Page = .first, on connection: any SQLConnection
    ) throws -> [OutboxRow] {
        var conditions = filter.conditions
        let sql = "SELECT * FROM outbox\(conditions.sql) ORDER BY created_at DESC, id DESC"
        return try connection.rows(sql + conditions.page(page), conditions.values).map(OutboxRow.init)
    }
}
