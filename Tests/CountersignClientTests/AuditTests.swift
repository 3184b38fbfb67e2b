import CountersignClient
import Outbound
import SigningService
import Synchronization
import Testing
import Wire

@Suite("The whole audit, page by page")
struct AuditTests {
    /// What a service gives that answers with these pages, one after the other: the numbers of the entries, what was asked for, and
    /// why it ended.
    private func read(
        _ pages: [[Int64]], atMost limit: Int = .max
    ) async throws -> (numbers: [Int64], queries: [String], error: ServiceError?) {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let queries = Mutex<[String]>([])
        let exchange = ScriptedExchange { request, _ in
            guard request.path.hasPrefix("/v1/audit?") else { return fake.answer(request) }
            let index = queries.withLock { queries in
                queries.append(String(request.path.dropFirst("/v1/audit?".count)))
                return queries.count - 1
            }
            guard index < pages.count else { return .lost }
            return .json(
                200, ListMessage(pages[index].map { AuditMessage(seq: $0, at: 1, event: "user-added", result: 0) }))
        }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        let numbers = Mutex<[Int64]>([])
        let error = await failure {
            try await account.operator.audit { entry in
                numbers.withLock { numbers in
                    numbers.append(entry.number ?? 0)
                    return numbers.count < limit
                }
            }
        }
        return (numbers.withLock { $0 }, queries.withLock { $0 }, error)
    }

    @Test("Each page begins where the one before ended; a short one is the last")
    func pages() async throws {
        let (first, rest) = (Array((11...1010).reversed()).map(Int64.init), Array((1...10).reversed()).map(Int64.init))
        let all = try await read([first, rest])
        #expect(all.error == nil && all.numbers == first + rest)
        #expect(all.queries == ["startIndex=1&count=1000", "before=11&startIndex=1&count=1000"])
        let none = try await read([[]])
        #expect(none.error == nil && none.numbers.isEmpty)
        let enough = try await read([first, rest], atMost: 2)
        #expect(enough.error == nil && enough.numbers == [1010, 1009] && enough.queries.count == 1)
    }

    @Test("A page that is lost is an error, and so is one that turns back: it would never end")
    func faults() async throws {
        let first = Array((11...1010).reversed()).map(Int64.init)
        let lost = try await read([first])
        #expect(lost.error != nil && lost.numbers == first)
        #expect(try await read([first, first]).error?.isProtocolViolation == true)
        #expect(try await read([[5, 5]]).error?.isProtocolViolation == true)
    }

    @Test("The service gives all of it, newest first, in any number, whatever is added meanwhile")
    func live() async throws {
        try await LiveServer.run { live in
            let root = try await live.operatorAccount().operator
            for index in 0..<1_050 {
                try await live.engine.addUser(SigningEngine.userName("user-\(index)"), password: nil)
            }
            let numbers = Mutex<[Int64]>([])
            try await root.audit { entry in
                numbers.withLock { $0.append(entry.number ?? 0) }
                return true
            }
            let found = numbers.withLock { $0 }
            #expect(found.count > 1_050 && found == Array((1...Int64(found.count)).reversed()))
            var older = AuditFilter()
            older.before = 3
            #expect(try await root.audit(older).map(\.number) == [2, 1])
        }
    }
}
