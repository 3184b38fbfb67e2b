import Storage
import StorageSQLite
import Testing

@Suite("How notifications are found")
struct NotificationPlanTests {
    /// What each question is answered by: no table is walked through, and nothing is sorted.
    @Test("EXPLAIN QUERY PLAN: inbox and history, with each filter, go by an index in the order of the page")
    func lists() async throws {
        try await TemporaryStore.use { database in
            let page = try #require(Page(startIndex: 11, count: 10))
            typealias Filter = NotificationRow.Filter
            let history: [(Filter, String)] = [
                (Filter(), "notifications_closed (user_name=?"),
                (Filter(since: 5, until: 9), "notifications_closed (user_name=? AND changed_at>? AND changed_at<?)"),
                (Filter(keyword: "a"), "notifications_closed (user_name=?"),
                (
                    Filter(keyword: "a", since: 5, until: 9),
                    "notifications_closed (user_name=? AND changed_at>? AND changed_at<?)"
                ),
                (Filter(status: .expired), "notifications_by_status (user_name=? AND status=?"),
                (
                    Filter(status: .expired, since: 5),
                    "notifications_by_status (user_name=? AND status=? AND changed_at>?)"
                ),
                (Filter(action: "Accept"), "notifications_by_action (user_name=? AND action=?"),
                (Filter(enterprise: "acme"), "notifications_by_enterprise (user_name=? AND enterprise=?"),
                (Filter(device: "d"), "notification_devices_closed (device=?"),
                (Filter(device: "d", since: 5), "notification_devices_closed (device=? AND changed_at>?)"),
            ]
            for (filter, index) in history {
                let plans = try await database.plans { connection in
                    _ = try NotificationRow.history(of: "a", filter, page: page, on: connection)
                }
                try check(plans, by: index)
            }
            let inbox = try await database.plans { connection in
                _ = try NotificationRow.pending(of: "a", at: 5, page: page, on: connection)
            }
            try check(inbox, by: "notifications_pending (user_name=?")
            let changes = try await database.plans { connection in
                _ = try NotificationRow.changes(of: "a", since: 5, limit: 10, on: connection)
            }
            try check(changes, by: "notifications_closed (user_name=? AND changed_at>?)")
            let waiting = try await database.plans { connection in
                _ = try NotificationRow.pendingChanges(of: "a", at: 5, limit: 10, on: connection)
            }
            try check(waiting, by: "notifications_pending (user_name=?")
            let nextEnd = try await database.plans { connection in
                _ = try NotificationRow.nextEnd(of: "a", on: connection)
            }
            try check(nextEnd, by: "notifications_pending (user_name=?")
        }
    }

    private func check(_ plans: [String], by index: String) throws {
        try #require(plans.count == 1)
        let text = plans[0]
        #expect(text.contains("USING INDEX \(index)") || text.contains("COVERING INDEX \(index)"), "\(text)")
        #expect(!text.contains("SCAN") && !text.contains("TEMP B-TREE"), "\(text)")
    }

    @Test("EXPLAIN QUERY PLAN: what a new notification, an answer and an end ask walks through no table")
    func steps() async throws {
        try await TemporaryStore.use { database in
            let row = NotificationRow(
                id: "n", userName: "alice", origin: .operator, client: nil, enterprise: nil, content: "{}",
                createdAt: 1,
                expiresAt: 9)
            try await database.write { connection in
                try UserRow.insert(name: "alice", password: nil, at: 1, on: connection)
                try row.insert(searched: FoldedText("a"), devices: [], on: connection)
            }
            let plans = try await database.plans { connection in
                _ = try CeremonyRow.listOpen(notification: "n", on: connection)
                _ = try NotificationRow.countPending(of: "alice", on: connection)
                _ = try NotificationRow.countPending(of: "alice", client: "shop", on: connection)
                _ = try NotificationRow.pendingNotices(of: "alice", at: 5, on: connection)
                _ = try NotificationRow.overdue(of: "alice", at: 9, on: connection)
                _ = try NotificationRow.listPending(aboutID: "n", on: connection)
                _ = try NotificationRow.undelivered(of: "alice", to: "d", at: 5, on: connection)
                _ = try NotificationRow.receive("n", on: "d", at: 5, on: connection)
                var row = try #require(try NotificationRow.find("n", on: connection))
                (row.status, row.action, row.changedAt) = (.expired, "NONE", 9)
                try row.update(on: connection)
            }
            #expect(plans.count >= 11)
            for plan in plans { #expect(!plan.contains("SCAN"), "\(plan)") }
        }
    }
}
