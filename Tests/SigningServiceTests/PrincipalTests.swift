import CountersignKeys
import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Signing in a session")
struct PrincipalTests {
    private func code(_ body: () async throws -> Void) async throws -> Refusal.Code? {
        try await TestStore.code(body)
    }

    @Test(
        "S13, S16, S30: a person starts, answers and fetches; the statement names device and ceremony, and no service")
    func signs() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let started = try await store.start(alice.session)
        #expect(started.state == .challenged)
        #expect(started.status == .success)
        #expect(started.attemptsLeft == 3)
        #expect(started.method == .password)
        #expect(started.expiresAt == store.clock.now + 120_000)
        store.clock.advance(1_000)
        let signed = try await store.answer(started.id, alice.session, generation: started.generation)
        let result = try #require(signed.result)
        let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
        #expect(claims.device == alice.session.device)
        #expect(claims.ceremony == started.id)
        #expect(claims.audience == nil)
        #expect(claims.subject.text == "alice")
        #expect(claims.methods == [.pwd])
        for record in [signed, try await store.engine.signing(started.id, as: alice.session.owner)] {
            #expect(record.state == .signed)
            #expect(record.issuedAt == started.issuedAt)
            #expect(record.generation == nil)
            #expect(record.result?.json == result.json)
        }
    }

    @Test("S31, C09, O01: a wrong answer says how many are left, the last one ends the signing")
    func wrongAnswers() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.start(alice.session).id
        for left in [2, 1, 0] {
            let refusal = try await TestStore.refusal { try await store.answer(id, alice.session, "wrong") }
            #expect(refusal == Refusal(.authenticationFailed, .attemptsLeft(left)))
            let record = try await store.engine.signing(id, as: alice.session.owner)
            #expect(record.state == (left > 0 ? .challenged : .failed))
            #expect(record.status == (left > 0 ? .authenticationFailed : .cancelled))
            #expect(record.attemptsLeft == (left > 0 ? left : nil))
        }
        #expect(try await store.logIn(alice.key).session.owner == alice.session.owner, "the door is another ledger")
    }

    @Test("Attack S6: an answer from another session, device or user finds nothing, and costs nobody an attempt")
    func foreign() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let tablet = try await store.person(device: "tablet")
        try await store.engine.addUser(TestStore.user("bob"), password: TestStore.secret(TestStore.password))
        let bob = try await store.person("bob")
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let shop = try await store.service().grant.session
        let started = try await store.start(alice.session)
        let hashes = store.hashes
        for session in [tablet.session, bob.session, try await store.logIn(alice.key).session, shop] {
            let refusal = try await TestStore.refusal { try await store.answer(started.id, session, "wrong") }
            #expect(refusal == Refusal(.ceremonyUnknown))
        }
        let unknown = try #require(UUIDText(try SecureRandom.uuid()))
        #expect(try await code { _ = try await store.answer(unknown, alice.session) } == .ceremonyUnknown)
        #expect(store.hashes == [hashes[0] + 1, hashes[1]], "only the log-in")
        for owner in [bob.session.owner, shop.owner] {
            #expect(try await code { _ = try await store.engine.signing(started.id, as: owner) } == .ceremonyUnknown)
            #expect(
                try await code { try await store.engine.reset(ceremony: started.id, as: owner) } == .ceremonyUnknown)
        }
        #expect(try await store.engine.signing(started.id, as: tablet.session.owner).attemptsLeft == 3)
        #expect(try await store.answer(started.id, alice.session).state == .signed)
        let row = try #require(try await store.engine.statements(.init(), .first).first)
        let jti = try #require(UUIDText(row.jti))
        #expect(
            try await code { _ = try await store.engine.statement(jti, as: bob.session.owner) } == .statementUnknown)
    }

    @Test("S4, S32, O08: one open signing a session; after a reset or its end an answer signs nothing; a new one does")
    func lateAnswers() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let first = try await store.start(alice.session)
        #expect(try await code { _ = try await store.start(alice.session, payload: "swapped") } == .ceremonyOpen)
        #expect(
            try await code { _ = try await store.answer(first.id, alice.session, generation: 7) } == .challengeReplaced)
        for _ in 0..<3 { try await store.engine.reset(ceremony: first.id, as: alice.session.owner) }
        #expect(try await code { _ = try await store.answer(first.id, alice.session) } == .cancelled)
        let second = try await store.start(alice.session)
        store.clock.advance(120_000)
        #expect(try await store.engine.signing(second.id, as: alice.session.owner).state == .expired)
        #expect(try await code { _ = try await store.answer(second.id, alice.session) } == .challengeExpired)
        #expect(try await code { _ = try await store.answer(second.id, alice.session) } == .challengeExpired)
        let third = try await store.start(alice.session)
        #expect(try await store.answer(third.id, alice.session).state == .signed)
        #expect(try await code { _ = try await store.answer(third.id, alice.session) } == .ceremonyAnswered)
        #expect(try await store.engine.status().statements == 1)
    }

    @Test("RFC 9470: who logged in more than 12 hours ago logs in again before they sign", arguments: [0, 1])
    func stepUp(level: Int) async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let alice = try await store.person()
        store.clock.advance(12 * 3_600_000)
        let last = try await store.start(alice.session, level: level)
        try await store.engine.reset(ceremony: last.id, as: alice.session.owner)
        store.clock.advance(1)
        let refusal = try await TestStore.refusal { try await store.start(alice.session, level: level) }
        #expect(refusal == Refusal(.stepUpNeeded, .maxAge(seconds: 43_200)))
        let grant = try await store.logIn(alice.key)
        _ = try await store.start(grant.session, level: level)
        _ = try await store.engine.set(.stepUpHours, to: "1")
        store.clock.advance(3_600_001)
        #expect(try await code { _ = try await store.start(grant.session, level: level) } == .stepUpNeeded)
    }

    @Test("A person signs for nobody else, an operator not at all")
    func limits() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        #expect(try await code { _ = try await store.start(alice.session, user: "alice") } == .memberUnknown)
        let operatorSession = try await store.logInOperator().session
        #expect(try await code { _ = try await store.start(operatorSession, user: "alice") } == .scopeInsufficient)
        let started = try await store.start(alice.session)
        #expect(try await code { _ = try await store.answer(started.id, operatorSession) } == .ceremonyUnknown)
        #expect(try await store.engine.signing(started.id, as: .operator).state == .challenged)
    }

    @Test("A signing can be fetched long after its ceremony was forgotten")
    func forgotten() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let started = try await store.start(alice.session)
        let signed = try await store.answer(started.id, alice.session)
        let declined = try await store.start(alice.session)
        try await store.engine.reset(ceremony: declined.id, as: alice.session.owner)
        store.clock.advance(2 * 86_400_000)
        _ = try await store.sign()
        let record = try await store.engine.signing(started.id, as: alice.session.owner)
        #expect(record.state == .signed)
        #expect(record.result?.statement == signed.result?.statement)
        #expect(
            try await code { _ = try await store.engine.signing(declined.id, as: alice.session.owner) }
                == .ceremonyUnknown)
    }

    @Test("R6: what a backup held of sessions, tokens, codes and kept replies is dead in the restored store")
    func restored() async throws {
        let store = try await TestStore()
        let directory = try StoreDirectory(existing: store.path)
        let alice = try await store.person()
        let shop = try await store.service()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let token = try await store.engine.makeOperatorToken()
        let key = try PrivateKey(generating: .es256)
        let digest = [UInt8](repeating: 1, count: 32)
        let once = Once<SessionGrant>(owner: "o", key: "k", digest: digest) { _ in .body(status: 201, [1]) }
        _ = try await store.logIn(alice.key, once: once)
        let open = try await store.start(alice.session)
        let path = store.path + "-backup"
        let copy = TestFolder(path)
        try await store.engine.backUp(directory, to: path)
        let restored = try await TestStore.open(StoreDirectory(existing: path), store.clock, store.hasher)
        try await restored.beginRestored()
        for token in [alice.grant.accessToken, shop.grant.accessToken] {
            #expect(try await !store.isAlive(token, engine: restored))
            #expect(try await store.isAlive(token))
        }
        #expect(
            try await self.code {
                _ = try await restored.refresh(#require(alice.grant.refreshToken), thumbprint: alice.thumbprint)
            } == .grantInvalid)
        #expect(
            try await self.code {
                _ = try await restored.enrol(
                    user: TestStore.user("alice"), code: code, password: TestStore.secret(TestStore.password),
                    deviceName: "phone", key: key.publicKey)
            } == .authenticationFailed)
        #expect(
            try await self.code { _ = try await restored.logInOperator(token, key: key.publicKey) }
                == .authenticationFailed)
        #expect(try await restored.keptReply(owner: "o", key: "k", digest: digest) == nil)
        #expect(try await restored.signing(open.id, as: alice.session.owner).state == .cancelled)
        // Devices and services are as they were: who has key and password logs in.
        let grant = try await store.logIn(alice.key, engine: restored)
        let started = try await store.start(grant.session, engine: restored)
        let again = try await store.answer(started.id, grant.session, engine: restored)
        let here = try await store.answer(open.id, alice.session)
        #expect(again.result?.signatureID != here.result?.signatureID)
        await restored.close()
        withExtendedLifetime(copy) {}
    }
}

@Suite("Exactly once")
struct ExactlyOnceTests {
    /// An engine that dies at one of its writes.
    private func mortal(_ store: TestStore, after writes: Int, commits: Bool) async throws -> (
        SigningEngine, FaultyDatabase
    ) {
        let database = FaultyDatabase(try await store.database(), after: writes, commits: commits)
        let engine = try await SigningEngine.open(
            StoreDirectory(existing: store.path), database: database, hasher: store.hasher,
            strangers: store.strangers, clock: store.clock.clock)
        return (engine, database)
    }

    @Test(
        "Attack R1: whichever write is the last, there is no statement, or one that is found by its ceremony",
        arguments: 0..<4, [true, false])
    func signing(writes: Int, commits: Bool) async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let digest = [UInt8](repeating: 1, count: 32)
        let startOnce = Once<SigningRecord>(owner: "o", key: "start", digest: digest) { .signing($0.id) }
        let answerOnce = Once<Answered>(owner: "o", key: "answer", digest: digest) { answered in
            guard case .signed(let record) = answered else { return .body(status: 403, []) }
            return .signing(record.id)
        }
        let (engine, database) = try await mortal(store, after: writes, commits: commits)
        do {
            let started = try await store.start(alice.session, engine: engine, once: startOnce)
            _ = try await store.answer(started.id, alice.session, engine: engine, once: answerOnce)
            #expect(writes == 3, "there are three writes")
        } catch is FaultyDatabase.Crash {}
        await database.close()
        // The next process. Whoever lost an answer asks again by the same names.
        func kept(_ key: String) async throws -> KeptReply? {
            try await store.engine.keptReply(owner: "o", key: key, digest: digest)
        }
        let id: UUIDText
        if case .signing(let known) = try await kept("start") {
            id = known
        } else {
            #expect(writes == 0 && !commits)
            id = try await store.start(alice.session, once: startOnce).id
        }
        let statements = try await store.engine.status().statements
        let record = try await store.engine.signing(id, as: alice.session.owner)
        #expect(record.state == (statements == 1 ? .signed : .challenged))
        #expect((try await kept("answer") == .signing(id)) == (statements == 1), "one transaction")
        if statements == 0 { _ = try await store.answer(id, alice.session, once: answerOnce) }
        #expect(try await store.engine.status().statements == 1)
        #expect(try await store.engine.signing(id, as: alice.session.owner).state == .signed)
        #expect(try await store.engine.user(TestStore.user("alice"))?.wrongAnswers == 0)
    }

    @Test(
        "Attack R1: whichever write of an enrolment is the last, the same request again gives one device",
        arguments: 0..<3, [true, false])
    func enrolment(writes: Int, commits: Bool) async throws {
        let store = try await TestStore()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let key = try PrivateKey(generating: .es256).publicKey
        let digest = [UInt8](repeating: 1, count: 32)
        let once = Once<SessionGrant>(owner: "o", key: "k", digest: digest) {
            .body(status: 201, Array($0.accessToken.text.utf8))
        }
        @Sendable func enrol(_ engine: SigningEngine) async throws -> SessionGrant {
            try await engine.enrol(
                user: TestStore.user("alice"), code: code, password: TestStore.secret(TestStore.password),
                deviceName: "phone", key: key, once: once)
        }
        let (engine, database) = try await mortal(store, after: writes, commits: commits)
        do { _ = try await enrol(engine) } catch is FaultyDatabase.Crash {}
        await database.close()
        let token: String
        if case .body(_, let body) = try await store.engine.keptReply(owner: "o", key: "k", digest: digest) {
            token = String(decoding: body, as: UTF8.self)
        } else {
            // The attempt of the dead process counts until its time is over.
            token = try await enrol(store.engine).accessToken.text
        }
        #expect(try await store.isAlive(#require(SessionToken(token, .access))))
        #expect(try await store.engine.deviceList(of: TestStore.user("alice")).devices.count == 1)
        #expect(try await store.engine.sessions(of: .person(TestStore.user("alice"))).count == 1)
    }

    @Test("Attack R2: a log-in that cannot be recorded does not happen, and its attempt is given back")
    func auditBlocked() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.change { connection in
            try connection.run(
                """
                CREATE TRIGGER blocked BEFORE INSERT ON audit WHEN NEW.event = 'logged-in'
                BEGIN SELECT RAISE(ABORT, 'blocked'); END
                """)
        }
        await #expect(throws: StorageError.self) { _ = try await store.logIn(alice.key) }
        #expect(try await store.engine.sessions(of: alice.session.owner).count == 1)
        #expect(try await store.loginLedger().inFlight.isEmpty)
        try await store.change { try $0.run("DROP TRIGGER blocked") }
        _ = try await store.logIn(alice.key)
    }

    @Test(
        "Attack R2: a wrong password that cannot be recorded is not free: its attempt stays taken until its time is over"
    )
    func wrongNotRecorded() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.change { connection in
            try connection.run(
                """
                CREATE TRIGGER blocked BEFORE INSERT ON audit WHEN NEW.event LIKE 'login-%'
                BEGIN SELECT RAISE(ABORT, 'blocked'); END
                """)
        }
        await #expect(throws: StorageError.self) { _ = try await store.logIn(alice.key, password: "wrong") }
        #expect(try await store.loginLedger().inFlight.count == 1)
        store.clock.advance(120_000)
        try await store.change { try $0.run("DROP TRIGGER blocked") }
        _ = try await store.logIn(alice.key)
        #expect(try await store.loginLedger().inFlight.isEmpty)
    }
}
