import CountersignKeys
import CountersignVerifier
import Foundation
import Passwords
import Sessions
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

@Suite("Several payloads signed at once")
struct BatchTests {
    private func drafts(_ payloads: [String], references: Bool = false) -> [Batch.Draft] {
        payloads.enumerated().map { index, text in
            Batch.Draft(payload: Array(text.utf8), reference: references ? "r\(index)" : nil)
        }
    }

    private func start(
        _ engine: SigningEngine, _ payloads: [String], level: Int = 1, references: Bool = false, asker: Asker? = nil
    ) async throws -> SigningOutcome {
        try await engine.start(
            user: TestStore.user("alice"), payloads: .batch(drafts(payloads, references: references)),
            reason: Array("Payroll".utf8), level: level, type: 0, asker: asker ?? TestStore.asker())
    }

    private func challenge(_ store: TestStore, _ payloads: [String], asker: Asker? = nil) async throws -> Challenge {
        guard case .challenged(let challenge) = try await start(store.engine, payloads, asker: asker) else {
            throw CocoaError(.coderInvalidValue)
        }
        return challenge
    }

    private func answer(_ engine: SigningEngine, _ challenge: Challenge) async throws -> [SignedResult] {
        guard
            case .signedAll(let results) = try await engine.answer(
                challenge, with: TestStore.secret(TestStore.password))
        else { throw CocoaError(.coderInvalidValue) }
        return results
    }

    private func texts(_ count: Int) -> [String] { (1...count).map { "Pay \($0).00 EUR" } }

    private func claims(_ result: SignedResult) throws -> Claims {
        try UnverifiedStatement(Array(result.statement.utf8).span).claims
    }

    /// Every statement is valid, and is that of its payload at its place.
    private func check(_ results: [SignedResult], _ payloads: [String], _ store: TestStore, level: Int) async throws {
        let trust = try TrustStore(await store.engine.keySet())
        var policy = Policy()
        policy.level = MinimumLevel(level == 0 ? .none : .one)
        let verifier = StatementVerifier(trust: trust, policy: policy)
        let digest = BatchPlace.digest(of: payloads)
        #expect(results.map(\.payload) == payloads)
        #expect(Set(results.map(\.signatureID)).count == payloads.count)
        for (index, result) in results.enumerated() {
            guard case .valid(let statement) = verifier.verify(Array(result.statement.utf8), at: store.clock.now / 1000)
            else {
                Issue.record("statement \(index) is not valid")
                continue
            }
            #expect(statement.claims.payload == payloads[index])
            #expect(statement.claims.reserved[.batch] == "\(digest).\(index + 1).\(payloads.count)")
        }
        #expect(try Set(results.map { try claims($0).ceremony }).count == 1)
    }

    @Test(
        "O43, O45: one password, a statement for each payload, in order; one audit row with their number, found by each",
        arguments: [1, 3, 200])
    func stepUp(count: Int) async throws {
        let store = try await TestStore()
        let payloads = texts(count)
        let before = try await store.events().count
        let hashes = store.hasher.completed
        let challenge = try await challenge(store, payloads)
        #expect(challenge.run.request.batch?.items.map(\.payload.text) == payloads)
        let results = try await answer(store.engine, challenge)
        try await check(results, payloads, store, level: 1)
        #expect(store.hasher.completed == hashes + 1)
        for result in results {
            let claims = try claims(result)
            #expect(claims.methods == [.pwd] && claims.ceremony == challenge.run.id)
        }
        let rows = try await store.engine.audit(AuditRow.Filter(), Page.first)
        #expect(rows.count == before + 1)
        #expect(rows.first?.event == "signed" && rows.first?.ceremony == challenge.run.id.text)
        #expect(rows.first?.detail == "batch of \(count), digest \(BatchPlace.digest(of: payloads))")
        for result in results {
            let found = try await store.engine.audit(AuditRow.Filter(jti: result.signatureID), Page.first)
            #expect(found == Array(rows.prefix(1)))
        }
        #expect(try await store.engine.status().statements == count)
        let stored = try await store.engine.statements(ofCeremony: challenge.run.id)
        #expect(stored.map(\.text) == results.map(\.statement))
        #expect(stored.map(\.place) == Array(1...count))
    }

    @Test("O43, O10: level 0 signs the list at once, where it is allowed; its ceremony is none of the statements")
    func levelZero() async throws {
        let store = try await TestStore()
        let payloads = texts(130)
        #expect(
            try await TestStore.refusal { try await start(store.engine, [""], level: 0) }?.code == .methodNotSupported)
        #expect(try await store.engine.set(.allowLevelZero, to: "true"))
        for _ in 0..<2 {
            guard case .signedAll(let results) = try await start(store.engine, payloads, level: 0, references: true)
            else {
                Issue.record("not signed")
                return
            }
            try await check(results, payloads, store, level: 0)
            let ceremony = try claims(results[0]).ceremony
            #expect(!results.contains { $0.signatureID == ceremony.text })
            let rows = try await store.engine.statements(ofCeremony: ceremony)
            #expect(rows.map(\.reference) == (0..<130).map { "r\($0)" })
        }
        #expect(try await store.engine.status().statements == 260)
    }

    @Test("O44: one bad payload refuses all of them: nothing is open, nothing is signed", arguments: [0, 1])
    func allOrNothing(level: Int) async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let before = try await store.events().count
        for bad in [0, 7, 99] {
            var payloads = texts(100)
            payloads[bad] = "\u{202E}"
            let refusal = try await TestStore.refusal { try await start(store.engine, payloads, level: level) }
            #expect(refusal == Refusal(.payloadCharacter, .item(bad + 1, .character("\u{202E}", offset: 0))))
        }
        #expect(try await TestStore.refusal { try await start(store.engine, [], level: level) }?.code == .batchEmpty)
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.engine.status().openCeremonies == 0)
        #expect(try await store.events().count == before)
    }

    @Test("O44, R1: a row that cannot be written takes all the others with it")
    func oneTransaction() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let before = try await store.events().count
        try await store.change { connection in
            try connection.run(
                """
                CREATE TRIGGER no_third BEFORE INSERT ON statements WHEN NEW.place = 3
                BEGIN SELECT RAISE(ABORT, 'no room'); END
                """)
        }
        await #expect(throws: StorageError.self) { try await start(store.engine, texts(5), level: 0) }
        let challenge = try await challenge(store, texts(5))
        await #expect(throws: StorageError.self) { try await answer(store.engine, challenge) }
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.events().count == before)
        try await store.change { try $0.run("DROP TRIGGER no_third") }
        #expect(try await answer(store.engine, challenge).count == 5, "the right answer cost nothing")
    }

    @Test(
        "O44, R1: where a row in the middle cannot be written, while others are still signed, nothing is left; not the reply either",
        arguments: [1, 300, 512, 700])
    func failsInTheMiddle(place: Int) async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        try await store.change { connection in
            try connection.run(
                """
                CREATE TRIGGER no_place BEFORE INSERT ON statements WHEN NEW.place = \(place)
                BEGIN SELECT RAISE(ABORT, 'no room'); END
                """)
        }
        let shop = try await store.service().grant.session
        let digest = [UInt8](repeating: 7, count: 32)
        let once = Once<SigningRecord>(owner: "shop", key: "k", digest: digest) {
            .signing($0.id)
        }
        let drafts = drafts(texts(700), references: true)
        @Sendable func sign() async throws -> SigningRecord {
            try await store.engine.start(
                as: shop, user: TestStore.user("alice"), payloads: .batch(drafts), reason: Array("Payroll".utf8),
                level: 0, type: 0, once: once)
        }
        let events = try await store.events().count
        await #expect(throws: StorageError.self) { _ = try await sign() }
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.events().count == events)
        #expect(try await store.engine.keptReply(owner: "shop", key: "k", digest: digest) == nil)
        try await store.change { try $0.run("DROP TRIGGER no_place") }
        let record = try await sign()
        let rows = try await store.engine.statements(ofCeremony: record.id)
        #expect(rows.map(\.reference) == drafts.map(\.reference))
        #expect(rows.map(\.text) == record.batch?.items.map(\.result?.statement))
        #expect(try await store.engine.keptReply(owner: "shop", key: "k", digest: digest) == .signing(record.id))
        await #expect(throws: StorageError.self, "A9: once") { _ = try await sign() }
        #expect(try await store.engine.status().statements == 700)
    }

    @Test("A transaction that runs again has the same statements; at level 0 and after a password", arguments: [0, 1])
    func repeated(level: Int) async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let engine = try await SigningEngine.open(
            StoreDirectory(existing: store.path), database: RepeatingDatabase(store.database()), hasher: store.hasher,
            clock: store.clock.clock)
        var results: [SignedResult] = []
        switch try await start(engine, texts(300), level: level, references: true) {
        case .challenged(let challenge): results = try await answer(engine, challenge)
        case .signedAll(let signed): results = signed
        case .signed: break
        }
        try await check(results, texts(300), store, level: level)
        let rows = try await engine.statements(ofCeremony: claims(results[0]).ceremony)
        #expect(rows.map(\.text) == results.map(\.statement))
        #expect(rows.map(\.reference) == (0..<300).map { "r\($0)" })
        await engine.close()
    }

    @Test("S06: whoever was locked since the engine last looked signs none of a long list")
    func locked() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        _ = try await start(store.engine, texts(2), level: 0)
        let other = try await store.another()
        try await other.lock(TestStore.user("alice"))
        #expect(
            try await TestStore.refusal { try await start(store.engine, texts(500), level: 0) }?.code
                == .authenticationFailed)
        #expect(try await store.engine.status().statements == 2)
        await other.close()
    }

    @Test("O43: keys that sign slowly sign long lists too", arguments: [KeyAlgorithm.edDSA, .es384, .rs256])
    func algorithms(_ algorithm: KeyAlgorithm) async throws {
        let store = try await TestStore(algorithm: algorithm)
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        guard case .signedAll(let results) = try await start(store.engine, texts(130), level: 0) else { return }
        try await check(results, texts(130), store, level: 0)
        #expect(try await store.engine.status().statements == 130)
    }

    @Test("Attack S7: what is stored is swapped between question and answer, in order or in words: nothing is signed")
    func swapped() async throws {
        let store = try await TestStore()
        for list in [
            #"[["Pay 1.00 EUR"],["Pay 900.00 EUR"]]"#, #"[["Pay 2.00 EUR"],["Pay 1.00 EUR"]]"#,
            #"[["Pay 1.00 EUR"]]"#, #"[["Pay 1.00 EUR"],["Pay 2.00 EUR"],["Pay 3.00 EUR"]]"#,
            #"[["Pay 1.00 EUR","r"],["Pay 2.00 EUR"]]"#, "[]", "{}", #"[["a","b","c"]]"#, #"[[1]]"#, "[[]]",
        ] {
            let challenge = try await challenge(store, texts(2))
            try await store.change { connection in
                try connection.run(
                    "UPDATE ceremonies SET batch = $1 WHERE id = $2", [.text(list), .text(challenge.run.id.text)])
            }
            await #expect(throws: (any Error).self) { try await answer(store.engine, challenge) }
            #expect(try await store.engine.status().statements == 0)
        }
        let challenge = try await challenge(store, texts(2))
        #expect(try await answer(store.engine, challenge).count == 2)
    }

    @Test("Attack S7: a challenge that was shown with another list does not answer for this one")
    func otherList() async throws {
        let store = try await TestStore()
        let asker = try TestStore.asker()
        let shown = try await challenge(store, texts(3), asker: asker)
        for payloads in [["Pay 2.00 EUR", "Pay 1.00 EUR", "Pay 3.00 EUR"], texts(2), texts(4)] {
            let run = shown.run
            let request = try SigningRequest(
                user: TestStore.user("alice"), payloads: .batch(drafts(payloads)), reason: "Payroll".utf8Span.span,
                level: 1, type: 0, isLevelZeroAllowed: false)
            let forged = Challenge(
                run: Run(
                    id: run.id, generation: run.generation, request: request, asker: run.asker,
                    issuedAt: run.issuedAt, expiresAt: run.expiresAt), method: .password, attemptsLeft: 3,
                status: .success)
            #expect(try await TestStore.refusal { try await answer(store.engine, forged) }?.code == .challengeReplaced)
        }
        #expect(try await answer(store.engine, shown).map(\.payload) == texts(3))
    }

    @Test("S3, S4: an answer counts once, and not for another batch, after a reset or too late")
    func replayed() async throws {
        let store = try await TestStore()
        let asker = try TestStore.asker()
        let first = try await challenge(store, texts(2), asker: asker)
        #expect(
            try await TestStore.refusal { try await start(store.engine, texts(3), asker: asker) }?.code == .ceremonyOpen
        )
        try await store.engine.reset(asker)
        let second = try await challenge(store, texts(3), asker: asker)
        #expect(try await TestStore.refusal { try await answer(store.engine, first) } != nil)
        #expect(try await answer(store.engine, second).count == 3)
        for late in [first, second] {
            #expect(try await TestStore.refusal { try await answer(store.engine, late) } != nil)
        }
        let third = try await challenge(store, texts(2), asker: asker)
        store.clock.advance(120_000)
        #expect(try await TestStore.refusal { try await answer(store.engine, third) }?.code == .challengeExpired)
        #expect(try await store.engine.status().statements == 3)
    }

    @Test("S3: the same right answer from two engines at once: the list is signed once")
    func raced() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let challenge = try await challenge(store, texts(70))
        let signed = try await race(6) { index in
            try? await answer(index.isMultiple(of: 2) ? store.engine : other, challenge).count
        }
        #expect(signed.compactMap(\.self) == [70])
        #expect(try await store.engine.status().statements == 70)
        await other.close()
    }

    @Test("S28, O01: wrong answers cost what they cost for one text")
    func wrong() async throws {
        let store = try await TestStore()
        let challenge = try await challenge(store, texts(2))
        for left in [2, 1] {
            guard case .challenged(let next) = try await store.engine.answer(challenge, with: TestStore.secret("wrong"))
            else { throw CocoaError(.coderInvalidValue) }
            #expect(next.attemptsLeft == left)
            #expect(next.run.request.batch?.items.count == 2)
        }
        #expect(
            try await TestStore.refusal { try await store.engine.answer(challenge, with: TestStore.secret("wrong")) }
                == .exhausted)
        #expect(try await store.engine.status().statements == 0)
    }

    @Test("A key that another process made active meanwhile signs all of them")
    func rotated() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        _ = try await start(store.engine, texts(2), level: 0)
        let other = try await store.another()
        let key = try await other.rotateKeys(to: nil, algorithm: .edDSA)
        guard case .signedAll(let results) = try await start(store.engine, texts(100), level: 0) else { return }
        let keys = try results.map { try UnverifiedStatement(Array($0.statement.utf8).span).keyID }
        #expect(Set(keys) == [key.id])
        await other.close()
    }
}

@Suite("Batches of sessions")
struct BatchSessionTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    private func start(
        _ store: TestStore, _ session: Session, _ payloads: [String], level: Int = 1, user: String? = nil,
        once: Once<SigningRecord>? = nil
    ) async throws -> SigningRecord {
        try await store.engine.start(
            as: session, user: user.map { try TestStore.user($0) },
            payloads: .batch(payloads.map { Batch.Draft(payload: Array($0.utf8), reference: "ref \($0)") }),
            reason: Array("Payroll".utf8), level: level, type: 0, once: once)
    }

    @Test("A batch is looked at while it waits and long after, by those whose it is (attack S6)")
    func looked() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let shop = try await store.service().grant.session
        let started = try await start(store, alice.session, ["one", "two"])
        #expect(started.state == .challenged && started.result == nil)
        #expect(started.batch?.items.map(\.payload) == ["one", "two"])
        #expect(started.payload == "2 payloads, digest of the list \(BatchPlace.digest(of: ["one", "two"]))")
        let open = try await store.engine.signing(started.id, as: alice.session.owner)
        #expect(open.batch?.items.map(\.reference) == ["ref one", "ref two"])
        let signed = try await store.answer(started.id, alice.session)
        #expect(signed.state == .signed && signed.result == nil && signed.issuedAt == started.issuedAt)
        for delay: Int64 in [0, 3 * 86_400_000] {
            store.clock.advance(delay)
            // What is old is forgotten when somebody else signs.
            _ = try? await store.sign()
            let again = try await store.engine.signing(started.id, as: alice.session.owner)
            #expect(again.payload == started.payload && again.batch?.digest == started.batch?.digest)
            #expect(again.batch?.items.map(\.result?.statement) == signed.batch?.items.map(\.result?.statement))
            #expect(again.batch?.items.map(\.reference) == ["ref one", "ref two"])
        }
        #expect(
            try await TestStore.code { _ = try await store.engine.signing(started.id, as: shop.owner) }
                == .ceremonyUnknown)
    }

    @Test("A batch that ends without a signature lets go of its list")
    func ended() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let started = try await start(store, alice.session, ["one", "two"])
        try await store.engine.reset(ceremony: started.id, as: alice.session.owner)
        let ended = try await store.engine.signing(started.id, as: alice.session.owner)
        #expect(ended.state == .cancelled && ended.batch == nil && ended.payload == started.payload)
        let database = try await store.database()
        #expect(try await database.read { try CeremonyRow.find(started.id.text, on: $0) }?.batch == nil)
        await database.close()
    }

    @Test("Attack A9: the key stands for the whole batch: the same request again gets the same statements")
    func once() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let shop = try await store.service().grant.session
        let once = Once<SigningRecord>(owner: "shop", key: "k", digest: digest) { .signing($0.id) }
        let first = try await start(store, shop, ["one", "two"], level: 0, user: "alice", once: once)
        await #expect(throws: StorageError.self) {
            try await start(store, shop, ["one", "two"], level: 0, user: "alice", once: once)
        }
        #expect(try await store.engine.keptReply(owner: "shop", key: "k", digest: digest) == .signing(first.id))
        let again = try await store.engine.signing(first.id, as: shop.owner)
        #expect(again.batch?.items.map(\.result?.statement) == first.batch?.items.map(\.result?.statement))
        #expect(again.audience == "shop")
        #expect(try await store.engine.statements(.init(), .first, as: shop.owner).count == 2)
    }

    @Test("A service signs batches at level 0 alone, an operator none")
    func limits() async throws {
        let store = try await TestStore()
        let shop = try await store.service().grant.session
        let refusal = try await TestStore.code { _ = try await start(store, shop, ["a"], user: "alice") }
        #expect(refusal == .methodNotSupported)
        let `operator` = try await store.logInOperator().session
        #expect(try await TestStore.code { _ = try await start(store, `operator`, ["a"]) } == .scopeInsufficient)
    }
}
