import CountersignJOSE
import CountersignKeys
import Passwords
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Enrolment")
struct EnrolmentTests {
    private func enrol(
        _ store: TestStore, _ code: ActivationCode?, _ name: String? = "alice", password: String = TestStore.password,
        key: PrivateKey? = nil, engine: SigningEngine? = nil
    ) async throws -> Refusal.Code? {
        let key = try key ?? PrivateKey(generating: .es256)
        return try await TestStore.code {
            _ = try await (engine ?? store.engine).enrol(
                user: name.map { try TestStore.user($0) }, code: code, password: TestStore.secret(password),
                deviceName: "phone", key: key.publicKey)
        }
    }

    @Test(
        "O21: a user without a password sets it with the code; the session is the device's and lives as the settings say"
    )
    func firstDevice() async throws {
        let store = try await TestStore()
        try await store.engine.addUser(TestStore.user("bob"), password: nil)
        let bob = try await store.person("bob", password: "a new password of bob", device: "  Bob's phone ")
        let session = try await store.engine.session(bob.grant.accessToken)
        #expect(session == bob.session)
        #expect(session.owner == .person(try TestStore.user("bob")))
        #expect(session.thumbprint == bob.thumbprint)
        #expect(session.accessExpiresAt == store.clock.now + 300_000)
        #expect(session.expiresAt == store.clock.now + 30 * 86_400_000)
        #expect(bob.grant.expiresIn == 300)
        let device = try #require(try await store.engine.deviceList(of: TestStore.user("bob")).devices.first)
        #expect(device.id == session.device)
        #expect(device.name == "Bob's phone")
        #expect(device.thumbprint == bob.thumbprint)
        let record = try await store.start(session)
        #expect(try await store.answer(record.id, session, "a new password of bob").state == .signed)
        #expect(try await store.events().suffix(3) == ["activation-code-made", "device-enrolled", "signed"])
    }

    @Test("Who has a password needs it with the code, and the wrong one counts at the door alone")
    func needsThePassword() async throws {
        let store = try await TestStore()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        #expect(try await enrol(store, code, password: "not her password") == .authenticationFailed)
        #expect(try await store.loginLedger().wrong == 1)
        #expect(try await store.challenge().attemptsLeft == 3)
        #expect(try await enrol(store, code) == nil)
        #expect(try await store.loginLedger().wrong == 0)
        #expect(try await store.events().contains("login-wrong"))
    }

    @Test("Attack S10: whatever is wrong, enrolling says the same and computes exactly one hash, of strangers")
    func alike() async throws {
        let store = try await TestStore()
        try await store.engine.addUser(TestStore.user("locked"), password: TestStore.secret(TestStore.password))
        let ofLocked = try await store.engine.makeActivationCode(for: TestStore.user("locked")).code
        try await store.engine.lock(TestStore.user("locked"))
        let ofAlice = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let wrong = try #require(ActivationCode(ofAlice.selector + "0000000000"))
        let unknown = try #require(ActivationCode("00000000000000"))
        for (code, name, password) in [
            (ofAlice, "alice", "not her password"), (wrong, "alice", TestStore.password),
            (unknown, "alice", TestStore.password), (nil, "alice", TestStore.password),
            (ofAlice, "nobody", TestStore.password), (ofAlice, nil, TestStore.password),
            (ofLocked, "locked", TestStore.password), (ofLocked, "alice", TestStore.password),
        ] {
            let before = store.hashes
            let key = try PrivateKey(generating: .es256)
            let refusal = try await TestStore.refusal {
                try await store.engine.enrol(
                    user: name.map { try TestStore.user($0) }, code: code, password: TestStore.secret(password),
                    deviceName: "phone", key: key.publicKey)
            }
            #expect(refusal == Refusal(.authenticationFailed))
            #expect(store.hashes == [before[0], before[1] + 1])
        }
    }

    @Test("Attack D5: a code that was guessed at five times is dead, on whatever engine; the user loses no attempt")
    func guesses() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        for guess in 1...5 {
            let wrong = try #require(ActivationCode(code.selector + "000000000\(guess)"))
            #expect(
                try await enrol(store, wrong, engine: guess.isMultiple(of: 2) ? other : nil) == .authenticationFailed)
        }
        #expect(try await enrol(store, code) == .authenticationFailed)
        #expect(try await store.loginLedger() == LedgerRow(empty: "alice", .login))
        let refused = try await store.engine.audit(.init(event: "enrolment-refused"), .first).compactMap(\.detail)
        #expect(refused.contains("wrong code, which is dead now"))
        // Four guesses are not enough, and other codes are untouched.
        let next = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        for guess in 1...4 {
            let wrong = try #require(ActivationCode(next.selector + "000000000\(guess)"))
            #expect(try await enrol(store, wrong) == .authenticationFailed)
        }
        #expect(try await enrol(store, next) == nil)
        await other.close()
    }

    @Test("Attack D5: of thirty wrong codes at once no more than five are looked at, over two engines")
    func parallelGuesses() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let codes = try await race(30) { index in
            let wrong = ActivationCode(code.selector + "00000000" + (index < 10 ? "0\(index)" : "\(index)"))
            return try await enrol(store, wrong, engine: index.isMultiple(of: 2) ? other : nil)
        }
        #expect(codes.allSatisfy { $0 == .authenticationFailed })
        let refused = try await store.engine.audit(.init(event: "enrolment-refused"), .first).compactMap(\.detail)
        #expect(refused.count { $0.hasPrefix("wrong code") } == 5)
        #expect(try await enrol(store, code) == .authenticationFailed)
        await other.close()
    }

    @Test("Attack D5: twenty enrolments with one code at once, over two engines: one device, one session")
    func parallelEnrolments() async throws {
        let store = try await TestStore()
        try await store.engine.addUser(TestStore.user("bob"), password: nil)
        let other = try await store.another()
        for name in ["alice", "bob"] {
            let code = try await store.engine.makeActivationCode(for: TestStore.user(name)).code
            let codes = try await race(20) { index in
                try await enrol(store, code, name, engine: index.isMultiple(of: 2) ? other : nil)
            }
            #expect(codes.count { $0 == nil } == 1)
            #expect(codes.count { $0 == .authenticationFailed } == 19)
            #expect(try await store.engine.deviceList(of: TestStore.user(name)).devices.count == 1)
            #expect(try await store.engine.sessions(of: .person(TestStore.user(name))).count == 1)
            #expect(try await store.loginLedger(name).inFlight.isEmpty)
        }
        await other.close()
    }

    @Test("A code lives 24 hours, works once, and a newer one replaces it", arguments: [(0, true), (-1, false)])
    func life(early: Int64, isAlive: Bool) async throws {
        let store = try await TestStore()
        let name = try TestStore.user("alice")
        let replaced = try await store.engine.makeActivationCode(for: name).code
        let issued = try await store.engine.makeActivationCode(for: name)
        #expect(issued.expiresAt == store.clock.now + 86_400_000)
        #expect(try await enrol(store, replaced) == .authenticationFailed)
        store.clock.advance(86_400_000 - 1 - early)
        #expect(try await enrol(store, issued.code) == (isAlive ? nil : .authenticationFailed))
        #expect(try await enrol(store, issued.code) == .authenticationFailed, "not twice")
        #expect(
            try await TestStore.code { _ = try await store.engine.makeActivationCode(for: TestStore.user("nobody")) }
                == .userUnknown)
    }

    @Test("Attack D9: a key is one device's for ever, and only of the algorithms of proofs; the code stays good")
    func keys() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        #expect(try await enrol(store, code, key: alice.key) == .deviceKeyTaken)
        #expect(try await enrol(store, code, key: PrivateKey(generating: .es384)) == .deviceKeyRefused)
        #expect(try await store.loginLedger().inFlight.isEmpty)
        #expect(try await enrol(store, code, key: PrivateKey(generating: .edDSA)) == nil)
        #expect(try await store.engine.deviceList(of: TestStore.user("alice")).devices.count == 2)
    }

    @Test("D23, D24, S14: a bad name or password is refused before any hash, and costs the code nothing")
    func refusedEarly() async throws {
        let store = try await TestStore()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let key = try PrivateKey(generating: .es256)
        let before = store.hashes
        for (device, password, expected) in [
            ("ab", TestStore.password, Refusal.Code.deviceNameTooShort),
            (String(repeating: "a", count: 51), TestStore.password, .deviceNameTooLong),
            ("a\u{202E}bc", TestStore.password, .deviceNameCharacter), ("phone", "short", .passwordTooShort),
            ("phone", "", .passwordEmpty),
        ] {
            let found = try await TestStore.code {
                _ = try await store.engine.enrol(
                    user: TestStore.user("alice"), code: code, password: TestStore.secret(password),
                    deviceName: device, key: key.publicKey)
            }
            #expect(found == expected)
        }
        #expect(store.hashes == before)
        #expect(try await enrol(store, code) == nil)
    }

    @Test("A user whose password was set while a first device enrols: the code does not set another")
    func passwordSetMeanwhile() async throws {
        let store = try await TestStore()
        let bob = try TestStore.user("bob")
        try await store.engine.addUser(bob, password: nil)
        let code = try await store.engine.makeActivationCode(for: bob).code
        let interrupted = try await store.interrupted(when: { _ in true }) {
            try await store.change { connection in
                try UserRow.find("bob", on: connection)?.setPassword("$argon2id$other", at: 1, on: connection)
            }
        }
        #expect(!interrupted.database.hasHappened)
        let refusal = try await enrol(store, code, "bob", password: "bob's first password", engine: interrupted.engine)
        #expect(refusal == .authenticationFailed)
        #expect(interrupted.database.hasHappened)
        #expect(try await store.engine.deviceList(of: bob).devices.isEmpty)
    }
}
