import Storage
import StorageSQLite
import Testing

@Suite("How signing requests, groups, new devices and what is to be carried are found")
struct RequestPlanTests {
    private typealias Statement = @Sendable (any SQLConnection) throws -> Void

    /// Expects a statement to go by an index as far as `text` says, and nothing to be walked through or sorted.
    private func check(
        _ database: SQLiteDatabase, _ text: String, _ body: @escaping Statement,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let plans = try await database.plans(body)
        try #require(plans.count == 1, "\(plans)", sourceLocation: location)
        #expect(plans[0].contains(text), "\(plans[0])", sourceLocation: location)
        #expect(
            !plans[0].contains("SCAN") && !plans[0].contains("TEMP B-TREE"), "\(plans[0])", sourceLocation: location)
    }

    @Test(
        "EXPLAIN QUERY PLAN: a request, a service's list, what is over and what waits for a person go by an index, in its order"
    )
    func requests() async throws {
        try await TemporaryStore.use { database in
            let page = try #require(Page(startIndex: 11, count: 10))
            try await check(database, "(id=?)") { _ = try RequestRow.find("r", on: $0) }
            try await check(database, "INDEX requests_by_client (client=?)") {
                _ = try RequestRow.list(client: "shop", page: page, on: $0)
            }
            try await check(database, "INDEX requests_pending (expires_at<?)") {
                _ = try RequestRow.overdue(at: 5, on: $0)
            }
            try await check(database, "INDEX request_persons_waiting (user_name=? AND expires_at>?)") {
                _ = try RequestRow.countWaiting(for: "alice", client: "shop", at: 5, on: $0)
            }
        }
    }

    @Test("EXPLAIN QUERY PLAN: a new request, an answer and an end, with their persons, walk through no table")
    func requestSteps() async throws {
        try await TemporaryStore.use { database in
            let row = RequestRow(
                id: "r", client: "shop", requester: nil, group: nil, payload: "p", reason: "r", level: 1, type: 0,
                required: 1,
                quorum: nil, createdAt: 1, expiresAt: 9, persons: [.init(userName: "alice"), .init(userName: "bob")])
            try await database.write {
                try ClientRow(name: "shop", secret: nil, jwk: "{}", createdAt: 1).insert(on: $0)
            }
            let plans = try await database.plans { connection in
                try row.insert(on: connection)
                var row = try #require(try RequestRow.find("r", on: connection))
                (row.state, row.changedAt) = (.declined, 9)
                (row.persons[0].answer, row.persons[1].answer) = (.declined, .over)
                try row.update(on: connection)
            }
            // Three rows are made; the request is read with its persons; it is changed with each of them.
            #expect(plans.count == 8)
            for plan in plans { #expect(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "\(plan)") }
            #expect(
                plans.count { $0.contains("(request=? AND user_name=?)") } == 2
                    && plans.contains { $0.contains("(request=?)") })
        }
    }

    @Test(
        "EXPLAIN QUERY PLAN: a group and its members go by its name, and all of them come in the order of their names")
    func groups() async throws {
        try await TemporaryStore.use { database in
            let group = GroupRow(name: "board", members: ["alice"], createdAt: 1, changedAt: 1)
            try await database.write { try UserRow.insert(name: "alice", password: nil, at: 1, on: $0) }
            let plans = try await database.plans { connection in
                try group.insert(on: connection)
                _ = try GroupRow.find("board", on: connection)
                try group.update(on: connection)
                try group.delete(on: connection)
            }
            #expect(plans.count == 9)
            for plan in plans { #expect(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "\(plan)") }
            let list = try await database.plans { _ = try GroupRow.list(on: $0) }
            #expect(list.count == 1 && list[0].hasPrefix("SCAN person_groups USING INDEX"), "\(list)")
        }
    }

    @Test("EXPLAIN QUERY PLAN: activation codes, new devices and blocks go by an index")
    func activations() async throws {
        try await TemporaryStore.use { database in
            let code = ActivationRow(
                selector: "s", userName: "alice", tag: [UInt8](repeating: 1, count: 32), createdAt: 1, expiresAt: 9)
            try await check(database, "(selector=?)") { _ = try ActivationRow.find("s", at: 5, on: $0) }
            try await check(database, "(selector=?)") { try code.countWrong(on: $0) }
            try await check(database, "(selector=?)") { _ = try code.use(on: $0) }
            try await check(database, "(user_name=?)") { try ActivationRow.delete(userName: "alice", on: $0) }
            try await check(database, "INDEX activations_by_end (expires_at<?)") {
                try ActivationRow.deleteExpired(at: 5, on: $0)
            }
            try await check(database, "(id=?)") { _ = try ActivationRequestRow.find("a", on: $0) }
            try await check(database, "INDEX activation_requests_asked (user_name=? AND asked_at>?)") {
                _ = try ActivationRequestRow.asked(of: "alice", since: 5, on: $0)
            }
            try await check(database, "(user_name=?)") { _ = try ActivationBlockRow.find("alice", on: $0) }
            try await check(database, "(user_name=?)") { try ActivationBlockRow.delete("alice", on: $0) }
            // Those of one key are few: they are sorted.
            let open = try await database.plans { _ = try ActivationRequestRow.open(thumbprint: "t", on: $0) }
            #expect(open.count == 1 && open[0].contains("INDEX activation_requests_open (thumbprint=?)"), "\(open)")
            let forgotten = try await database.plans { try ActivationRequestRow.delete(endedBefore: 5, on: $0) }
            #expect(
                forgotten.count == 1 && forgotten[0].contains("INDEX activation_requests_by_end (expires_at<?)"),
                "\(forgotten)")
            #expect(!open[0].contains("SCAN") && !forgotten[0].contains("SCAN"))
        }
    }

    @Test("EXPLAIN QUERY PLAN: what is due, what became of it and what is forgotten go by an index of the outbox")
    func outbox() async throws {
        try await TemporaryStore.use { database in
            let row = OutboxRow(
                id: "o", transport: .webhook, event: "notification-made", userName: "alice", createdAt: 1, expiresAt: 9)
            for transport in OutboxRow.Transport.allCases {
                try await check(database, "INDEX outbox_due (transport=? AND next_at<?)") {
                    _ = try OutboxRow.due(transport, at: 5, limit: 10, on: $0)
                }
            }
            try await check(database, "(id=?)") { _ = try OutboxRow.find("o", on: $0) }
            try await check(database, "(id=?)") { try row.update(on: $0) }
            let ended = try await database.plans { try OutboxRow.deleteEnded(before: 5, limit: 10, on: $0) }
            #expect(ended.count == 1 && ended[0].contains("INDEX outbox_ended (ended_at<?)"), "\(ended)")
            #expect(!ended[0].contains("SCAN") && !ended[0].contains("TEMP B-TREE"), "\(ended)")
        }
    }
}
