import CountersignClient
import Outbound
import SigningService
import Synchronization
import Testing
import Wire

@Suite("The audit, as it comes")
struct AuditStreamTests {
    private let line = Array(#"{"at":1,"event":"user-added","user":"alice","result":0}"#.utf8) + [0x0A]

    /// What a stream with this body gives: how many entries until it ended, and why.
    private func entries(_ body: [UInt8], atMost limit: Int = .max) async throws -> (Int, ServiceError?) {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let exchange = ScriptedExchange { request, _ in
            guard request.path.hasPrefix("/v1/audit") else { return fake.answer(request) }
            return .success(OutboundResponse(status: 200, body: body))
        }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        let count = Mutex(0)
        let error = await failure {
            try await account.operator.audit { _ in
                count.withLock { count in
                    count += 1
                    return count < limit
                }
            }
        }
        return (count.withLock { $0 }, error)
    }

    @Test("Entries are given one by one; what is cut off, too long or no entry is no end")
    func lines() async throws {
        let (none, empty) = try await entries([])
        #expect(none == 0 && empty == nil)
        let (three, whole) = try await entries(line + line + line)
        #expect(three == 3 && whole == nil)
        let (two, enough) = try await entries(line + line + line, atMost: 2)
        #expect(two == 2 && enough == nil)
        let (one, cut) = try await entries(line + line.dropLast())
        #expect(one == 1 && cut?.isProtocolViolation == true)
        let (before, wrong) = try await entries(line + Array("{}\n".utf8) + line)
        #expect(before == 1 && wrong?.isProtocolViolation == true)
        let (_, long) = try await entries(Array(repeating: 0x20, count: 70_000))
        #expect(long?.isProtocolViolation == true)
    }

    @Test("The service gives all of it, newest first, in any number")
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
        }
    }
}
