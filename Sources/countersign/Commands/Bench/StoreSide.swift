import CountersignKeys
import CountersignVerifier
import Signing
import SigningService

/// Many callers who sign with one store at the same time.
final class StoreSide: Side {
    /// Signs a text and returns the statement, which is on disk then. It is given the number of the caller, and that of the text.
    typealias Sign = @Sendable (_ caller: Int, _ number: Int) async throws -> String

    private let callers: Int
    private let sign: Sign
    private let session: VerificationSession
    private var first = 0
    private var statements: [(number: Int, text: String)] = []

    /// How many statements it got, warming up included.
    private(set) var count = 0

    init(_ store: BenchStore, callers: Int, audience: AudienceRule, _ sign: @escaping Sign) throws {
        self.callers = callers
        self.sign = sign
        let engine = store.engine
        var policy = Policy()
        policy.level = MinimumLevel(.none)
        policy.audience = audience
        session = StatementVerifier(trust: try waitFor { try await engine.trust() }, policy: policy).makeSession()
    }

    static func payload(_ number: Int) -> String {
        "Transfer no. \(1_000_000 + number): 120.00 EUR to DE02 1203 0000 0000 2020 51"
    }

    func run(_ count: Int) throws -> Slice {
        let (first, callers, sign) = (first, callers, sign)
        let start = WallClock.monotonic
        statements = try waitFor {
            try await withThrowingTaskGroup(of: [(Int, String)].self) { group in
                for caller in 0..<min(callers, count) {
                    group.addTask {
                        var statements: [(Int, String)] = []
                        for number in stride(from: first + caller, to: first + count, by: callers) {
                            statements.append((number, try await sign(caller, number)))
                        }
                        return statements
                    }
                }
                var all: [(Int, String)] = []
                for try await some in group { all += some }
                return all
            }
        }
        let slice = Slice(count: count, seconds: WallClock.monotonic - start)
        self.first += count
        self.count += statements.count
        return slice
    }

    func check() throws {
        let now = WallClock.seconds
        for (number, text) in statements {
            let bytes = Array(text.utf8)
            guard case .valid(let statement) = session.verify(bytes.span, at: now),
                statement.claims.payload == Self.payload(number)
            else { throw Failure.wrongResult("a statement of the store is not valid, or not over what was asked") }
        }
    }
}

extension StoreSide {
    /// Level 0 for a relying service, as `countersignd` does it behind HTTP: the statement, its audit row and the kept reply are on disk.
    static func durable(_ store: BenchStore, callers: Int) throws -> StoreSide {
        let session = try waitFor { try await store.logInService() }
        let user = try waitFor { try await store.addUser("alice").0 }
        let engine = store.engine
        return try StoreSide(store, callers: callers, audience: .exactly(BenchStore.service)) { _, number in
            let record = try await engine.start(
                as: session, user: user, payloads: .one(Array(payload(number).utf8)), reason: reason, level: 0,
                type: 0,
                once: Once(
                    owner: "service \(BenchStore.service)", key: "bench-\(number)",
                    digest: Array(repeating: 7, count: 32), reply: { .signing($0.id) }))
            guard let result = record.result else { throw Failure.wrongResult("level 0 was not signed at once") }
            return result.statement
        }
    }

    /// Step-ups by password, each caller a user of its own: the challenge, the answer, the statement.
    static func stepUps(_ store: BenchStore, callers: Int) throws -> StoreSide {
        let users = try waitFor {
            var users: [(UserName, SecretBytes, Asker)] = []
            for number in 0..<callers {
                let (name, password) = try await store.addUser("user-\(number)")
                guard let id = UUIDText(try SecureRandom.uuid()) else { throw Failure(.unavailable, "no random UUID") }
                users.append((name, password, Asker(session: id)))
            }
            return users
        }
        let engine = store.engine
        return try StoreSide(store, callers: callers, audience: .none) { caller, number in
            let (user, password, asker) = users[caller]
            let begun = try await engine.start(
                user: user, payload: Array(payload(number).utf8), reason: reason, level: 1, type: 0, asker: asker)
            guard case .challenged(let challenge) = begun,
                case .signed(let result) = try await engine.answer(challenge, with: password)
            else { throw Failure.wrongResult("the right password did not sign") }
            return result.statement
        }
    }

    private static var reason: [UInt8] { Array("Invoice 17 of the spring".utf8) }
}
