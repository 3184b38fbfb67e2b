import Storage
import StorageSQLite
import Testing

@Suite("How the outbox is listed")
struct OutboxPlanTests {
    private static let notification = "00000000-0000-4000-8000-000000000001"

    @Test("EXPLAIN QUERY PLAN: each list goes by an index in the order of the page")
    func plans() async throws {
        try await TemporaryStore.use { database in
            typealias Filter = OutboxRow.Filter
            let lists: [(Filter, String)] = [
                (Filter(), "SCAN outbox USING INDEX outbox_made"),
                (Filter(transport: .apns), "SCAN outbox USING INDEX outbox_made"),
                (Filter(state: .delivered), "SCAN outbox USING INDEX outbox_made"),
                (Filter(since: 5, until: 9), "USING INDEX outbox_made (created_at>? AND created_at<?)"),
                (Filter(state: .failed), "USING INDEX outbox_undelivered (state=?)"),
                (Filter(state: .waiting, since: 5), "USING INDEX outbox_undelivered (state=? AND created_at>?)"),
                (Filter(userName: "alice"), "USING INDEX outbox_of_user (user_name=?)"),
                (Filter(userName: "alice", until: 9), "USING INDEX outbox_of_user (user_name=? AND created_at<?)"),
                (Filter(notification: Self.notification), "USING INDEX outbox_about (notification=?)"),
            ]
            for (filter, plan) in lists {
                let texts = try await database.plans { _ = try OutboxRow.list(filter, on: $0) }
                let text = try #require(texts.first)
                #expect(texts.count == 1 && text.contains(plan) && !text.contains("TEMP B-TREE"), "\(filter): \(text)")
            }
        }
    }

    @Test("The newest come first; each filter lets through what it names, and pages follow one another")
    func filters() async throws {
        try await TemporaryStore.use { database in
            try await database.write { connection in
                for name in ["alice", "bob"] { try UserRow.insert(name: name, password: nil, at: 1, on: connection) }
                let notification = NotificationRow(
                    id: Self.notification, userName: "alice", origin: .operator, client: nil, enterprise: nil,
                    content: "{}", createdAt: 1, expiresAt: 9)
                try notification.insert(searched: FoldedText("a"), devices: [], on: connection)
                for (index, user) in ["alice", "bob", "alice", "bob"].enumerated() {
                    try OutboxRow(
                        id: "\(index)", transport: .webhook, event: "e", userName: user,
                        notification: index == 2 ? Self.notification : nil, createdAt: Int64(index), expiresAt: 9
                    ).insert(on: connection)
                }
                for (id, state) in [("0", OutboxRow.State.delivered), ("1", .failed)] {
                    var row = try #require(try OutboxRow.find(id, on: connection))
                    (row.state, row.receipt, row.endedAt) = (state, "200", 5)
                    try row.update(on: connection)
                }
            }
            typealias Filter = OutboxRow.Filter
            let lists: [(Filter, [String])] = [
                (Filter(), ["3", "2", "1", "0"]), (Filter(state: .waiting), ["3", "2"]),
                (Filter(state: .failed), ["1"]),
                (Filter(state: .delivered), ["0"]), (Filter(transport: .webhook), ["3", "2", "1", "0"]),
                (Filter(transport: .apns), []), (Filter(userName: "alice"), ["2", "0"]),
                (Filter(userName: "nobody"), []),
                (Filter(notification: Self.notification), ["2"]), (Filter(since: 1, until: 3), ["2", "1"]),
                (Filter(state: .waiting, userName: "bob"), ["3"]),
            ]
            for (filter, ids) in lists {
                #expect(try await database.read { try OutboxRow.list(filter, on: $0).map(\.id) } == ids, "\(filter)")
            }
            let page = try #require(Page(startIndex: 2, count: 2))
            #expect(try await database.read { try OutboxRow.list(page: page, on: $0).map(\.id) } == ["2", "1"])
        }
    }
}
