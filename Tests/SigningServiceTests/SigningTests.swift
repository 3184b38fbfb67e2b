import CountersignKeys
import CountersignVerifier
import Passwords
import Signing
import SigningService
import Storage
import Testing

@Suite("Signing by password")
struct SigningByPasswordTests {
    @Test(
        "S13, S16, S17, S18, S42: start, answer, result; anybody verifies the statement",
        arguments: KeyAlgorithm.allCases)
    func signs(algorithm: KeyAlgorithm) async throws {
        let store = try await TestStore(algorithm: algorithm)
        let result = try await store.sign(payload: "Pay 5.00 EUR\n\tto Bob \u{1F600}")
        #expect(result.payload == "Pay 5.00 EUR\n\tto Bob \u{1F600}")
        #expect(result.payloadLength == 22)
        #expect(result.level == 1)
        #expect(result.authenticatorType == 0)
        let trust = try TrustStore(await store.engine.keySet())
        let verdict = StatementVerifier(trust: trust).verify(Array(result.statement.utf8), at: store.clock.now / 1000)
        guard case .valid(let statement) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(statement.claims.payload == result.payload)
        #expect(statement.claims.methods == [.pwd])
        #expect(statement.claims.issuer == "https://issuer.example")
        #expect(statement.claims.id.text == result.signatureID)
        #expect(statement.algorithm == algorithm)
        let row = try #require(try await store.engine.statement(statement.claims.id))
        #expect(row.text == result.statement)
    }

    @Test("S12, S28, S30: the first challenge has mode 12, three attempts, status 100")
    func firstChallenge() async throws {
        let challenge = try await TestStore().challenge()
        #expect(Challenge.mode == 12)
        #expect(challenge.attemptsLeft == 3)
        #expect(challenge.status == .success)
        #expect(challenge.method == .password)
        #expect(challenge.run.expiresAt - challenge.run.issuedAt == 120_000)
    }

    @Test("S31, C09: a wrong password asks again with one attempt fewer and status 102; the right one then signs")
    func asksAgain() async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        guard case .challenged(let again) = try await store.engine.answer(challenge, with: TestStore.secret("wrong"))
        else {
            Issue.record("signed with a wrong password")
            return
        }
        #expect(again.attemptsLeft == 2)
        #expect(again.status == .authenticationFailed)
        guard case .signed = try await store.engine.answer(again, with: TestStore.secret(TestStore.password)) else {
            Issue.record("not signed with the right password")
            return
        }
        #expect(try await store.challenge().attemptsLeft == 3, "a right answer gives all attempts back")
    }

    @Test(
        "O01, attack S15: three wrong answers over several ceremonies and engines block; a new one refills nothing")
    func blocks() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        _ = try await store.engine.answer(store.challenge(), with: TestStore.secret("wrong"))
        #expect(try await store.challenge().attemptsLeft == 2)
        _ = try await other.answer(store.challenge(engine: other), with: TestStore.secret("wrong"))
        let last = try await store.challenge()
        #expect(last.attemptsLeft == 1)
        let refusal = try await TestStore.refusal {
            try await store.engine.answer(last, with: TestStore.secret("wrong"))
        }
        #expect(refusal == .exhausted)
        #expect(refusal?.code.rawValue == 102)
        #expect(refusal?.status?.rawValue == 153)
        #expect(try await store.engine.users().first?.blockedUntil == store.clock.now + 5 * 60_000)
        // Blocked: the same prompt, the same work, the same answer, even for the right password.
        let blocked = try await store.challenge()
        #expect(blocked.attemptsLeft == 3)
        let runs = store.hasher.completed
        guard
            case .challenged(let again) = try await store.engine.answer(
                blocked, with: TestStore.secret(TestStore.password))
        else {
            Issue.record("signed while blocked")
            return
        }
        #expect(again.attemptsLeft == 2)
        #expect(store.hasher.completed == runs + 1)
        store.clock.advance(5 * 60_000)
        #expect(try await store.challenge().attemptsLeft == 3)
        #expect(try await store.sign().level == 1)
        await other.close()
    }

    @Test("O01, attack S15: blocks of 5, 10, 15 and again 15 minutes; after 30 wrong answers only the operator unlocks")
    func operatorUnlocks() async throws {
        let store = try await TestStore()
        for round in 0..<10 {
            for _ in 0..<3 {
                _ = try await TestStore.refusal {
                    try await store.engine.answer(store.challenge(), with: TestStore.secret("wrong"))
                }
            }
            let user = try #require(try await store.engine.users().first)
            let minutes: Int64 = round == 0 ? 5 : round == 1 ? 10 : 15
            #expect(user.blockedUntil == store.clock.now + minutes * 60_000)
            #expect(user.needsOperator == (round == 9))
            store.clock.advance(minutes * 60_000)
        }
        #expect(try await store.engine.users().first?.wrongAnswers == 30)
        let outcome = try await store.engine.answer(store.challenge(), with: TestStore.secret(TestStore.password))
        guard case .challenged = outcome else {
            Issue.record("signed though only the operator may unlock")
            return
        }
        try await store.engine.unlock(TestStore.user("alice"))
        #expect(try await store.sign().level == 1)
    }

    @Test("Attack S10: unknown, locked, passwordless and wrong look alike: same prompts, same counting, one hash each")
    func indistinguishable() async throws {
        var seen: [[String]] = []
        for name in ["alice", "nobody", "locked", "passwordless"] {
            let store = try await TestStore()
            try await store.engine.addUser(TestStore.user("locked"), password: TestStore.secret(TestStore.password))
            try await store.engine.lock(TestStore.user("locked"))
            try await store.engine.addUser(TestStore.user("passwordless"), password: nil)
            var log: [String] = []
            for _ in 0..<7 {
                let challenge = try await store.challenge(name)
                let runs = store.hasher.completed
                do {
                    // Only alice has another password than this; it is wrong for all of them.
                    let password = name == "alice" ? "not hers at all" : TestStore.password
                    switch try await store.engine.answer(challenge, with: TestStore.secret(password)) {
                    case .challenged(let again): log.append("\(challenge.attemptsLeft) \(again.attemptsLeft)")
                    case .signed, .signedAll: log.append("signed")
                    }
                } catch let refusal as Refusal {
                    log.append("\(challenge.attemptsLeft) \(refusal.description)")
                }
                log.append("\(store.hasher.completed - runs) hash")
            }
            seen.append(log)
        }
        #expect(seen[0].contains { $0.hasPrefix("1 102") })
        for other in seen.dropFirst() { #expect(other == seen[0]) }
    }

    @Test("Attack S14: an empty or oversized password costs neither a hash nor an attempt")
    func cappedPasswords() async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        let runs = store.hasher.completed
        for (password, code) in [
            ("", Refusal.Code.passwordEmpty), (String(repeating: "x", count: 1025), .passwordTooLong),
        ] {
            let refusal = try await TestStore.refusal {
                try await store.engine.answer(challenge, with: TestStore.secret(password))
            }
            #expect(refusal?.code == code)
        }
        #expect(store.hasher.completed == runs)
        #expect(try await store.challenge().attemptsLeft == 3)
    }

    @Test("Attack S13: where the hashing queue is full the refusal comes before the attempt is taken")
    func busy() async throws {
        let store = try await TestStore(threads: 1, queueLimit: 0)
        let place = try store.hasher.reserve()
        let challenge = try await store.challenge()
        let refusal = try await TestStore.refusal {
            try await store.engine.answer(challenge, with: TestStore.secret("wrong"))
        }
        #expect(refusal?.code == .authenticationBusy)
        #expect(try await store.challenge().attemptsLeft == 3)
        withExtendedLifetime(place) {}
    }

    @Test("Passwords are upgraded on a right login")
    func upgrades() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.passwordHash, to: "m=128,t=2,p=1")
        _ = try await store.sign()
        let runs = store.hasher.completed
        _ = try await store.sign()
        #expect(store.hasher.completed == runs + 1, "upgraded once, not each time")
    }
}

@Suite("Level 0")
struct LevelZeroTests {
    private func start(_ store: TestStore) async throws -> SigningOutcome {
        try await store.engine.start(
            user: TestStore.user("alice"), payload: Array("text".utf8), reason: Array("test".utf8), level: 0, type: 0,
            asker: TestStore.asker())
    }

    @Test("S06, O10: refused with 214 unless the store's setting allows it; then signed without amr")
    func switched() async throws {
        let store = try await TestStore()
        #expect(try await TestStore.refusal { try await start(store) }?.code == .methodNotSupported)
        #expect(try await store.engine.set(.allowLevelZero, to: "true"))
        guard case .signed(let result) = try await start(store) else {
            Issue.record("challenged at level 0")
            return
        }
        let statement = try UnverifiedStatement(Array(result.statement.utf8).span)
        #expect(statement.claims.methods.isEmpty)
        #expect(statement.claims.authTime == nil)
        #expect(try await store.engine.status().statements == 1)
    }

    @Test("Level 4 needs a provider of identity verification: 214 (O11)")
    func levelFour() async throws {
        let store = try await TestStore()
        let refusal = try await TestStore.refusal {
            try await store.engine.start(
                user: TestStore.user("alice"), payload: Array("text".utf8), reason: Array("test".utf8), level: 4,
                type: 1, asker: TestStore.asker())
        }
        #expect(refusal?.code == .methodNotSupported)
    }

    @Test("A refused request leaves the store as it was")
    func leavesNothing() async throws {
        let store = try await TestStore()
        let before = try await store.events()
        for (level, payload, code) in [
            (2, "text", Refusal.Code.methodNotSupported), (1, "", .payloadEmpty),
            (1, String(repeating: "x", count: 501), .payloadTooLong), (1, "a\u{202E}b", .payloadCharacter),
        ] {
            let refusal = try await TestStore.refusal {
                try await store.engine.start(
                    user: TestStore.user("alice"), payload: Array(payload.utf8), reason: Array("test".utf8),
                    level: level, type: 0, asker: TestStore.asker())
            }
            #expect(refusal?.code == code)
        }
        #expect(try await store.events() == before)
        #expect(try await store.engine.status().openCeremonies == 0)
    }
}
