import CountersignKeys
import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

@Suite("Attack A9: requests that name themselves")
struct OnceTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    private func once<T: Sendable>(
        _ key: String, owner: String = "owner", _ reply: @escaping @Sendable (T) -> KeptReply
    ) -> Once<T> {
        Once(owner: owner, key: key, digest: digest, reply: reply)
    }

    private func grantOnce(_ key: String) -> Once<SessionGrant> {
        once(key) { .body(status: 201, Array($0.accessToken.text.utf8)) }
    }

    private func recordOnce(_ key: String) -> Once<SigningRecord> { once(key) { .signing($0.id) } }

    private func answerOnce(_ key: String) -> Once<Answered> {
        once(key) { answered in
            switch answered {
            case .signed(let record): .signing(record.id)
            case .refused(let refusal): .body(status: 403, Array(refusal.description.utf8))
            }
        }
    }

    /// As a server does it: the kept answer where there is one, else the work, else the answer that was kept meanwhile.
    private func serve<T: Sendable>(
        _ engine: SigningEngine, _ once: Once<T>, _ key: String, _ work: () async throws -> T
    ) async throws -> KeptReply? {
        if let kept = try await engine.keptReply(owner: "owner", key: key, digest: digest) { return kept }
        do {
            _ = try await work()
        } catch let error as StorageError where error.code == .constraint {
            #expect(try await engine.keptReply(owner: "owner", key: key, digest: digest) != nil)
        } catch let refusal as Refusal where refusal.code == .authenticationFailed {}
        return try await engine.keptReply(owner: "owner", key: key, digest: digest)
    }

    @Test("The answer is kept for its owner and key, sealed, 24 hours; another request by that key is refused")
    func kept() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let grant = try await store.logIn(alice.key, once: grantOnce("k1"))
        let expected = KeptReply.body(status: 201, Array(grant.accessToken.text.utf8))
        func kept(_ owner: String = "owner", _ key: String = "k1") async throws -> KeptReply? {
            try await store.engine.keptReply(owner: owner, key: key, digest: digest)
        }
        #expect(try await kept() == expected)
        #expect(try await kept("somebody else") == nil)
        #expect(try await kept("owner", "k2") == nil)
        let mismatch = try await TestStore.code {
            _ = try await store.engine.keptReply(
                owner: "owner", key: "k1", digest: [UInt8](repeating: 8, count: 32))
        }
        #expect(mismatch == .idempotencyMismatch)
        store.clock.advance(86_400_000)
        #expect(try await kept() == expected)
        store.clock.advance(1)
        #expect(try await kept() == nil)
        _ = try await store.logIn(alice.key, once: grantOnce("k1"))
        #expect(try await kept() != nil, "the key is free again")
        #expect(!(try store.bytes("store.sqlite-wal")).contains(grant.accessToken.text))
    }

    @Test("A copy of the store is no means to try passwords by the digests of requests (attack L1)")
    func digests() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        _ = try await store.logIn(alice.key, once: grantOnce("k1"))
        let database = try await store.database()
        let row = try await database.read { try ReplyRow.find(owner: "owner", key: "k1", since: 0, on: $0) }
        await database.close()
        #expect(row?.digest.count == 32)
        #expect(row?.digest != digest)
    }

    @Test("A kept body that was moved to another key, or changed, is damage")
    func bound() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        _ = try await store.logIn(alice.key, once: grantOnce("k1"))
        for sql in ["UPDATE replies SET key = 'k2'", "UPDATE replies SET key = 'k1', status = 200"] {
            try await store.change { try $0.run(sql) }
            await #expect(throws: StorageError.self) {
                for key in ["k1", "k2"] {
                    _ = try await store.engine.keptReply(owner: "owner", key: key, digest: digest)
                }
            }
        }
    }

    @Test("The same log-in from two engines at once: one session, one answer")
    func racedLogIn() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        let replies = try await race(8) { index in
            let engine = index.isMultiple(of: 2) ? other : store.engine
            return try await serve(engine, grantOnce("k"), "k") {
                try await store.logIn(alice.key, engine: engine, once: grantOnce("k"))
            }
        }
        #expect(Set(replies.map { $0.map { "\($0)" } }).count == 1)
        #expect(replies[0] != nil)
        #expect(try await store.engine.sessions(of: alice.session.owner).count == 2)
        #expect(try await store.loginLedger().inFlight.isEmpty)
        await other.close()
    }

    @Test("The same wrong log-in from two engines at once, or a wrong code: it counts once, and the refusal is kept")
    func racedWrongLogIn() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        func once(_ key: String) -> Once<SessionGrant> {
            Once(
                owner: "owner", key: key, digest: digest, refused: { .body(status: 403, Array($0.name.utf8)) },
                reply: { _ in .body(status: 201, []) })
        }
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let wrongCode = ActivationCode(code.selector + "0000000000")
        let newKey = try PrivateKey(generating: .es256).publicKey
        let (login, enrolment) = (once("login"), once("enrolment"))
        for (name, named) in [("login", login), ("enrolment", enrolment)] {
            let replies = try await race(6) { index in
                let engine = index.isMultiple(of: 2) ? other : store.engine
                return try await serve(engine, named, name) {
                    guard name == "login" else {
                        return try await engine.enrol(
                            user: TestStore.user("alice"), code: wrongCode,
                            password: TestStore.secret(TestStore.password), deviceName: "phone", key: newKey,
                            once: named)
                    }
                    return try await store.logIn(alice.key, password: "wrong", engine: engine, once: named)
                }
            }
            let refusal = Refusal(.authenticationFailed)
            #expect(replies.allSatisfy { $0 == .body(status: 403, Array(refusal.name.utf8)) })
        }
        let ledger = try await store.loginLedger()
        #expect(ledger.wrongTotal == 1)
        #expect(ledger.inFlight.isEmpty)
        let refused = try await store.engine.audit(.init(event: "enrolment-refused"), .first).compactMap(\.detail)
        #expect(refused == ["wrong code, guesses left: 4"])
        await other.close()
    }

    @Test("The same enrolment from two engines at once, or again: one device, one answer")
    func racedEnrolment() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let key = try PrivateKey(generating: .es256).publicKey
        let replies = try await race(8) { index in
            let engine = index.isMultiple(of: 2) ? other : store.engine
            return try await serve(engine, grantOnce("k"), "k") {
                try await engine.enrol(
                    user: TestStore.user("alice"), code: code, password: TestStore.secret(TestStore.password),
                    deviceName: "phone", key: key, once: grantOnce("k"))
            }
        }
        #expect(Set(replies.map { $0.map { "\($0)" } }).count == 1)
        #expect(replies[0] != nil)
        #expect(try await store.engine.deviceList(of: TestStore.user("alice")).devices.count == 1)
        await other.close()
    }

    @Test("RFC 9700 4.14: the same refresh again, by its name, gets the same pair and ends nothing")
    func refresh() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        let token = try #require(alice.grant.refreshToken)
        let replies = try await race(8) { index in
            let engine = index.isMultiple(of: 2) ? other : store.engine
            return try await serve(engine, grantOnce("k"), "k") {
                try await engine.refresh(token, thumbprint: alice.thumbprint, once: grantOnce("k"))
            }
        }
        #expect(Set(replies.map { $0.map { "\($0)" } }).count == 1)
        #expect(try await store.engine.sessions(of: alice.session.owner).count == 1)
        #expect(try await !store.events().contains("session-reuse"))
        await other.close()
    }

    @Test("The same start from two engines at once: one signing, at level 1 and at level 0", arguments: [0, 1])
    func racedStart(level: Int) async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let alice = try await store.person()
        let other = try await store.another()
        let replies = try await race(8) { index in
            let engine = index.isMultiple(of: 2) ? other : store.engine
            return try await serve(engine, recordOnce("k"), "k") {
                try await store.start(alice.session, level: level, engine: engine, once: recordOnce("k"))
            }
        }
        #expect(Set(replies.map { $0.map { "\($0)" } }).count == 1)
        guard case .signing(let id) = replies[0] else {
            Issue.record("no answer was kept")
            return
        }
        let record = try await store.engine.signing(id, as: alice.session.owner)
        #expect(record.state == (level == 0 ? .signed : .challenged))
        #expect(try await store.engine.status().statements == (level == 0 ? 1 : 0))
        #expect(try await store.engine.status().openCeremonies == (level == 0 ? 0 : 1))
        await other.close()
    }

    @Test("The same answer again, right or wrong, at once from two engines: it counts once", arguments: [true, false])
    func racedAnswer(isRight: Bool) async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        let started = try await store.start(alice.session)
        let password = isRight ? TestStore.password : "a wrong password"
        let replies = try await race(6) { index in
            let engine = index.isMultiple(of: 2) ? other : store.engine
            return try await serve(engine, answerOnce("k"), "k") {
                .signed(
                    try await store.answer(started.id, alice.session, password, engine: engine, once: answerOnce("k")))
            }
        }
        #expect(Set(replies.map { $0.map { "\($0)" } }).count == 1)
        let record = try await store.engine.signing(started.id, as: alice.session.owner)
        #expect(try await store.engine.user(TestStore.user("alice"))?.wrongAnswers == (isRight ? 0 : 1))
        #expect(try await !store.isAttemptTaken())
        if isRight {
            #expect(replies[0] == .signing(started.id))
            #expect(record.state == .signed)
            #expect(try await store.engine.status().statements == 1)
        } else {
            let refusal = Refusal(.authenticationFailed, .attemptsLeft(2))
            #expect(replies[0] == .body(status: 403, Array(refusal.description.utf8)))
            #expect(record.attemptsLeft == 2)
            #expect(record.status == .authenticationFailed)
        }
        await other.close()
    }

    @Test("What an operator does is done once: users, codes, keys, services")
    func operators() async throws {
        let store = try await TestStore()
        let engine = store.engine
        let bob = try TestStore.user("bob")
        let shop = try #require(ClientName("shop"))
        for _ in 0..<2 {
            _ = try await serve(engine, once("u") { (_: User) in .body(status: 201, []) }, "u") {
                try await engine.addUser(bob, password: nil, once: once("u") { _ in .body(status: 201, []) })
            }
            _ = try await serve(engine, once("c") { (_: IssuedActivationCode) in .body(status: 201, []) }, "c") {
                try await engine.makeActivationCode(
                    for: bob, once: once("c") { .body(status: 201, Array($0.code.text.utf8)) })
            }
            _ = try await serve(engine, once("k") { (_: SigningKey) in .body(status: 201, []) }, "k") {
                try await engine.createKey(.es256, once: once("k") { .body(status: 201, Array($0.id.utf8)) })
            }
            _ = try await serve(engine, once("s") { (_: AddedClient) in .body(status: 201, []) }, "s") {
                try await engine.addClient(
                    shop, credential: .generatedSecret, once: once("s") { _ in .body(status: 201, []) })
            }
        }
        #expect(try await engine.users().count == 2)
        #expect(try await engine.keys().count == 3)
        let events = try await store.events()
        for event in ["activation-code-made", "client-added"] { #expect(events.count { $0 == event } == 1) }
    }
}
