import CountersignKeys
import Passwords
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Log-in")
struct LogInTests {
    private func code(
        _ store: TestStore, _ key: PrivateKey, _ name: String? = "alice", password: String = TestStore.password,
        engine: SigningEngine? = nil
    ) async throws -> Refusal.Code? {
        try await TestStore.code { _ = try await store.logIn(key, name, password: password, engine: engine) }
    }

    @Test("A person logs in with device and password: a new session, and the old one goes on")
    func logsIn() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        store.clock.advance(60_000)
        let grant = try await store.logIn(alice.key)
        #expect(grant.session.id != alice.session.id)
        #expect(grant.session.device == alice.session.device)
        #expect(grant.session.authTime == store.clock.now)
        #expect(try await store.isAlive(grant.accessToken))
        #expect(try await store.isAlive(alice.grant.accessToken))
        let sessions = try await store.engine.sessions(of: .person(TestStore.user("alice")))
        #expect(sessions.map(\.session.id) == [grant.session.id, alice.session.id], "newest first")
        #expect(sessions.map(\.deviceName) == ["phone", "phone"])
        let devices = try await store.engine.deviceList(of: TestStore.user("alice")).devices
        #expect(devices.first?.lastAccessAt == store.clock.now)
        #expect(try await store.events().last == "logged-in")
    }

    @Test("Attack S10: unknown, locked, passwordless, blocked and wrong look alike: one text, one hash")
    func alike() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        var keys = ["alice": alice.key, "nobody": try PrivateKey(generating: .es256)]
        for name in ["locked", "passwordless", "blocked"] {
            try await store.engine.addUser(TestStore.user(name), password: TestStore.secret(TestStore.password))
            keys[name] = try await store.person(name).key
        }
        try await store.engine.lock(TestStore.user("locked"))
        try await store.engine.clearPassword(of: TestStore.user("passwordless"))
        for _ in 0..<3 { _ = try await code(store, #require(keys["blocked"]), "blocked", password: "wrong") }
        for (name, key) in keys {
            let password = name == "alice" ? "not hers at all" : TestStore.password
            for attempt in 0..<5 {
                let before = store.hashes.reduce(0, +)
                let refusal = try await TestStore.refusal { try await store.logIn(key, name, password: password) }
                #expect(refusal == Refusal(.authenticationFailed), "\(name), attempt \(attempt)")
                #expect(store.hashes.reduce(0, +) == before + 1, "\(name), attempt \(attempt)")
            }
        }
    }

    @Test("Attack S12: strangers' log-ins, with the right password or not, count on nobody's ledger and hash elsewhere")
    func strangers() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.engine.addUser(TestStore.user("mallory"), password: TestStore.secret(TestStore.password))
        let mallory = try await store.person("mallory")
        let unregistered = try PrivateKey(generating: .es256)
        let before = store.hashes
        let ledger = try await store.loginLedger()
        for key in [unregistered, mallory.key] {
            for password in ["wrong", TestStore.password] {
                for _ in 0..<5 { #expect(try await code(store, key, password: password) == .authenticationFailed) }
            }
            #expect(try await code(store, key, nil) == .authenticationFailed, "what is no name")
        }
        #expect(store.hashes == [before[0], before[1] + 22])
        #expect(try await store.loginLedger() == ledger, "untouched")
        #expect(try await store.loginLedger("mallory").wrong == 0)
        #expect(try await code(store, alice.key) == nil, "alice is not locked out")
        #expect(try await store.challenge().attemptsLeft == 3)
    }

    @Test("Attack S12, S13: a full queue of strangers makes strangers wait, not those with a device")
    func apart() async throws {
        let store = try await TestStore(strangersQueue: 2)
        let alice = try await store.person()
        let places = try (0..<3).map { _ in try store.strangers.reserve() }
        #expect(try await code(store, PrivateKey(generating: .es256)) == .authenticationBusy)
        #expect(try await code(store, alice.key) == nil)
        withExtendedLifetime(places) {}
    }

    @Test(
        "Attack S13: the burst of one user's device, blocked or not, leaves places to others",
        arguments: [true, false])
    func burst(_ isBlocked: Bool) async throws {
        let store = try await TestStore(threads: 1, queueLimit: 3)
        let alice = try await store.person()
        try await store.engine.addUser(TestStore.user("bob"), password: TestStore.secret(TestStore.password))
        let bob = try await store.person("bob")
        if isBlocked { for _ in 0..<3 { _ = try await code(store, alice.key, password: "wrong") } }
        let codes = try await race(21) { index in
            index == 10 ? try await code(store, bob.key, "bob") : try await code(store, alice.key, password: "wrong")
        }
        #expect(codes.count { $0 == nil } == 1)
        #expect(codes.count { $0 == .authenticationFailed } == 20, "all the same; nobody was refused a place")
    }

    @Test("Strangers leave one audit row a minute, which says how many there were")
    func tally() async throws {
        let store = try await TestStore()
        let key = try PrivateKey(generating: .es256)
        for _ in 0..<20 { _ = try await code(store, key) }
        store.clock.advance(60_000)
        _ = try await code(store, key)
        let rows = try await store.engine.audit(.init(event: "login-wrong"), .first)
        #expect(rows.map(\.detail) == ["unknown key; 19 more since the last such entry", "unknown key"])
        #expect(rows.allSatisfy { $0.userName == nil && $0.result == 102 })
    }

    @Test("O01, O02: three wrong passwords block the door for five minutes, and the step-up not at all")
    func blocks() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let started = try await store.start(alice.session)
        for _ in 0..<3 { #expect(try await code(store, alice.key, password: "wrong") == .authenticationFailed) }
        #expect(try await store.events().suffix(3) == ["login-wrong", "login-wrong", "login-exhausted"])
        #expect(try await store.engine.user(TestStore.user("alice"))?.blockedUntil == store.clock.now + 300_000)
        #expect(try await code(store, alice.key) == .authenticationFailed, "the right one neither")
        #expect(try await store.loginLedger().wrongTotal == 3)
        #expect(try await store.answer(started.id, alice.session).state == .signed, "step-up has its own ledger")
        store.clock.advance(300_000)
        #expect(try await code(store, alice.key) == nil)
        #expect(try await store.loginLedger().wrongTotal == 0)
    }

    @Test("The operator unlocks the door too")
    func unlock() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for _ in 0..<3 { _ = try await code(store, alice.key, password: "wrong") }
        #expect(try await code(store, alice.key) == .authenticationFailed)
        let user = try await store.engine.unlock(TestStore.user("alice"))
        #expect(user.blockedUntil == nil)
        #expect(user.wrongAnswers == 0)
        #expect(try await code(store, alice.key) == nil)
    }

    @Test("Attack S1: 50 wrong passwords at once, over two engines: three count; every one costs its hash")
    func parallelWrong() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        let before = store.hasher.completed
        let codes = try await race(50) { index in
            try await code(
                store, alice.key, password: "wrong \(index)", engine: index.isMultiple(of: 2) ? other : nil)
        }
        #expect(codes.allSatisfy { $0 == .authenticationFailed })
        let ledger = try await store.loginLedger()
        #expect(ledger.wrongTotal == 3)
        #expect(ledger.blockedUntil == store.clock.now + 300_000)
        #expect(ledger.inFlight.isEmpty)
        #expect(store.hasher.completed == before + 50)
        let events = try await store.events()
        #expect(events.count { $0 == "login-exhausted" } == 1)
        #expect(events.count { $0 == "login-wrong" } == 49, "each failure has its one audit row")
        await other.close()
    }

    @Test("Attack S2: right passwords at once all work; who finds no attempt free waits for one")
    func parallelRight() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let codes = try await race(12) { _ in try await code(store, alice.key) }
        #expect(codes.allSatisfy { $0 == nil })
        #expect(try await store.engine.sessions(of: .person(TestStore.user("alice"))).count == 13)
        #expect(try await store.loginLedger().inFlight.isEmpty)
    }

    @Test("Attacks S4, D4: locked, another password or a deleted device while the password is checked: no session")
    func changedMeanwhile() async throws {
        for change in 0..<3 {
            let store = try await TestStore()
            let alice = try await store.person()
            let interrupted = try await store.interruptedAttempt(.login) {
                switch change {
                case 0: try await store.engine.lock(TestStore.user("alice"))
                case 1:
                    try await store.change { connection in
                        let user = try #require(try UserRow.find("alice", on: connection))
                        try user.setPassword(user.password ?? "", at: 0, on: connection)
                    }
                default:
                    try await store.change { connection in
                        var device = try #require(try DeviceRow.list(userName: "alice", on: connection).first)
                        device.state = .deleted
                        try device.update(on: connection)
                    }
                }
            }
            #expect(try await code(store, alice.key, engine: interrupted.engine) == .authenticationFailed)
            #expect(interrupted.database.hasHappened)
            #expect(try await store.events().last == "login-refused")
            #expect(try await store.loginLedger().inFlight.isEmpty)
            #expect(try await store.loginLedger().wrong == 0)
        }
    }

    @Test("Attack S14: an empty or oversized password costs neither a hash nor an attempt")
    func cappedPasswords() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let before = store.hashes
        #expect(try await code(store, alice.key, password: "") == .passwordEmpty)
        #expect(try await code(store, alice.key, password: String(repeating: "x", count: 1025)) == .passwordTooLong)
        #expect(store.hashes == before)
        #expect(try await store.loginLedger().wrongTotal == 0)
    }

    @Test("An operator's token works once, in its 24 hours, and the newest alone")
    func operators() async throws {
        let store = try await TestStore()
        let key = try PrivateKey(generating: .es256).publicKey
        @Sendable func logIn(_ token: SessionToken) async throws -> Refusal.Code? {
            try await TestStore.code { _ = try await store.engine.logInOperator(token, key: key) }
        }
        let first = try await store.engine.makeOperatorToken()
        let second = try await store.engine.makeOperatorToken()
        #expect(try await logIn(first) == .authenticationFailed)
        let codes = try await race(10) { _ in try await logIn(second) }
        #expect(codes.count { $0 == nil } == 1, "used once, also by ten at once")
        #expect(try await store.engine.sessions(of: .operator).count == 1)
        let third = try await store.engine.makeOperatorToken()
        store.clock.advance(86_400_000)
        #expect(try await logIn(third) == .authenticationFailed)
        let events = try await store.events()
        #expect(events.count { $0 == "operator-logged-in" } == 1)
        #expect(events.contains("operator-refused"))
    }
}
