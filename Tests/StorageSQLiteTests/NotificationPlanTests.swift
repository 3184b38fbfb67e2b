import Storage
import StorageSQLite
import Testing

@Suite("How notifications are found")
struct NotificationPlanTests {
    /// What each question is answered by: no table is walked through, and nothing is sorted.
    @Test("EXPLAIN QUERY PLAN: inbox and history, with each filter, go by an index in the order of the page")
    func plans() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
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
        var queries = history.map { (NotificationRow.historyQuery(of: "a", $0.0, page: page), $0.1) }
        queries.append(
            (
                NotificationRow.pendingQuery(of: "a", at: 5, since: nil, until: nil, page: page),
                "notifications_pending (user_name=?"
            ))
        queries.append(
            (
                NotificationRow.changesQuery(of: "a", since: 5, limit: 10),
                "notifications_closed (user_name=? AND changed_at>?)"
            ))
        for ((sql, values), index) in queries {
            let plan = try await database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql, values).map { try $0.text("detail") }
            }
            let text = plan.joined(separator: "; ")
            #expect(text.contains("USING INDEX \(index)") || text.contains("COVERING INDEX \(index)"), "\(text)")
            #expect(!text.contains("SCAN") && !text.contains("TEMP B-TREE"), "\(text)")
        }
        for sql in [
            "SELECT * FROM ceremonies WHERE notification = 'n' AND state = 'challenged' ORDER BY issued_at, id",
            "SELECT COUNT(*) AS n FROM notifications WHERE user_name = 'a' AND changed_at IS NULL",
            "UPDATE notification_devices SET changed_at = 5 WHERE notification = 'n'",
        ] {
            let plan = try await database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql).map { try $0.text("detail") }
            }
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
        await database.close()
    }
}
