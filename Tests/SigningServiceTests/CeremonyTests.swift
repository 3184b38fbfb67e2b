import CountersignKeys
import CountersignVerifier
import Foundation
import Passwords
import Signing
import SigningService
import Storage
import StorageSQLite
import Synchronization
import Testing

@Suite("Ceremonies in the store")
struct CeremonyTests {
    private func signs(
        _ store: TestStore, _ challenge: Challenge, on engine: SigningEngine? = nil
    ) async throws -> Refusal.Code? {
        try await TestStore.refusal {
            let outcome = try await (engine ?? store.engine).answer(
                challenge, with: TestStore.secret(TestStore.password))
            guard case .signed = outcome else { throw Refusal(.noChallenge) }
        }?.code
    }

    @Test("S32, S34, S4: reset three times is harmless, and a late answer signs nothing")
    func lateAfterReset() async throws {
        let store = try await TestStore()
        let asker = try TestStore.asker()
        let challenge = try await store.challenge(asker: asker)
        for _ in 0..<3 { try await store.engine.reset(asker) }
        #expect(try await signs(store, challenge) == .cancelled)
        let next = try await store.challenge(payload: "another text", asker: asker)
        #expect(try await signs(store, challenge) == .cancelled)
        #expect(try await signs(store, next) == nil)
        #expect(try await store.engine.statements(StatementRow.Filter(), Page.first).map(\.payload) == ["another text"])
    }

    @Test("O08: one signing at a time a session; a second is refused, the first goes on")
    func oneAtATime() async throws {
        let store = try await TestStore()
        let asker = try TestStore.asker()
        let challenge = try await store.challenge(asker: asker)
        let refusal = try await TestStore.refusal { try await store.challenge(payload: "swapped", asker: asker) }
        #expect(refusal?.code == .ceremonyOpen)
        #expect(try await signs(store, challenge) == nil)
    }

    @Test("A challenge lives 120 s: at exactly its end it is over", arguments: [(119_999, true), (120_000, false)])
    func expiry(after: Int64, isAlive: Bool) async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        store.clock.advance(after)
        #expect(try await signs(store, challenge) == (isAlive ? nil : .challengeExpired))
        #expect(try await store.events().last == (isAlive ? "signed" : "ceremony-expired"))
    }

    @Test("S6: an answer from another session finds nothing, and costs the user no attempt")
    func anotherSession() async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        let run = challenge.run
        let stolen = Challenge(
            run: Run(
                id: run.id, generation: run.generation, request: run.request, asker: try TestStore.asker(),
                issuedAt: run.issuedAt, expiresAt: run.expiresAt),
            method: .password, attemptsLeft: 3, status: .success)
        #expect(try await signs(store, stolen) == .ceremonyUnknown)
        #expect(try await store.challenge().attemptsLeft == 3)
    }

    @Test("S7: what is on record must be what was shown", arguments: ["payload", "reason", "user_name"])
    func editedRow(column: String) async throws {
        let store = try await TestStore()
        try await store.engine.addUser(TestStore.user("mallory"), password: nil)
        let challenge = try await store.challenge()
        let database = try await SQLiteDatabase.open(at: store.path + "/store.sqlite", time: store.clock.now)
        _ = try await database.write { try $0.run("UPDATE ceremonies SET \(column) = $1", [.text("mallory")]) }
        await database.close()
        #expect(try await signs(store, challenge) == .challengeReplaced)
        #expect(try await store.engine.status().statements == 0)
    }

    @Test("S4: a lock or a new password while the answer is checked: it no longer counts", arguments: [true, false])
    func changedMeanwhile(locks: Bool) async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        let interrupted = try await store.interruptedAttempt(.stepUp) {
            if locks {
                try await store.engine.lock(TestStore.user("alice"))
            } else {
                try await store.change { connection in
                    let user = try #require(try UserRow.find("alice", on: connection))
                    try user.setPassword(user.password ?? "", at: 0, on: connection)
                }
            }
        }
        #expect(try await signs(store, challenge, on: interrupted.engine) == .authenticationFailed)
        #expect(interrupted.database.hasHappened)
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.events().last == "answer-refused")
        #expect(try await store.challenge().attemptsLeft == 3)
    }

    @Test(
        "An answer that is still being checked when its challenge ends: a wrong one counts, a right one signs nothing",
        arguments: [true, false])
    func endsMeanwhile(isRight: Bool) async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        let interrupted = try await store.interruptedAttempt(.stepUp) { store.clock.advance(120_000) }
        let code = try await TestStore.code {
            _ = try await interrupted.engine.answer(
                challenge, with: TestStore.secret(isRight ? TestStore.password : "a wrong one"))
        }
        #expect(code == .challengeExpired, "the same refusal, right or wrong")
        #expect(interrupted.database.hasHappened)
        #expect(try await store.events().last == (isRight ? "answer-refused" : "answer-wrong"))
        #expect(try await store.engine.users().first?.wrongAnswers == (isRight ? 0 : 1))
        #expect(try await store.engine.status().statements == 0)
    }

    @Test("A fault of ours after the attempt was taken gives it back")
    func faultGivesBack() async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        let key = try #require(try await store.engine.status().activeKey)
        try await store.engine.retireKey(key)
        #expect(try await signs(store, challenge) == .noActiveKey)
        #expect(try await !store.isAttemptTaken())
        try await store.engine.rotateKeys(to: nil, algorithm: .es256)
        #expect(try await signs(store, challenge) == nil)
    }

    @Test("A completed signing that is answered again, even long after, is not told to start anew")
    func answeredLongAgo() async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        #expect(try await signs(store, challenge) == nil)
        store.clock.advance(121_000)
        #expect(try await signs(store, challenge) == .ceremonyAnswered)
    }

    @Test("An attempt whose process died counts until its challenge expires, then it is given back")
    func deadProcess() async throws {
        let store = try await TestStore()
        let now = store.clock.now
        let database = try await SQLiteDatabase.open(at: store.path + "/store.sqlite", time: now)
        try await database.write { connection in
            var ledger = try LedgerRow.load("alice", .stepUp, on: connection)
            ledger.inFlight = ["a", "b", "c"].map {
                LedgerRow.Attempt(
                    id: "0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a1\($0)", ceremony: "dead", expiresAt: now + 60_000)
            }
            try ledger.save(at: now, on: connection)
        }
        let challenge = try await store.challenge()
        async let answered = signs(store, challenge)
        // Nothing is free: the answer waits, and is not refused. Then the dead process's attempts expire.
        while store.clock.sleeps.load(ordering: .relaxed) < 3 { await Task.yield() }
        #expect(try await store.engine.status().statements == 0)
        store.clock.advance(60_000)
        #expect(try await answered == nil)
        await database.close()
    }

    @Test("The store's statement can be fetched by its ceremony")
    func fetched() async throws {
        let store = try await TestStore()
        let challenge = try await store.challenge()
        #expect(try await store.engine.statements(ofCeremony: challenge.run.id).isEmpty)
        guard
            case .signed(let result) = try await store.engine.answer(
                challenge, with: TestStore.secret(TestStore.password))
        else {
            Issue.record("not signed")
            return
        }
        #expect(try await store.engine.statements(ofCeremony: challenge.run.id).map(\.text) == [result.statement])
    }

    @Test("L3, S40, S41: one audit row for each outcome, with digest and length, without payload or password")
    func audit() async throws {
        let store = try await TestStore()
        let before = try await store.events().count
        let asker = try TestStore.asker()
        let challenge = try await store.challenge(payload: "secret-looking payload", asker: asker)
        _ = try await store.engine.answer(challenge, with: TestStore.secret("canary-wrong-password"))
        try await store.engine.reset(asker)
        _ = try await store.sign(payload: "secret-looking payload")
        let rows = try await store.engine.audit(AuditRow.Filter(), Page.first)
        #expect(rows.count == before + 3)
        #expect(rows.prefix(3).map(\.event) == ["signed", "ceremony-reset", "answer-wrong"])
        #expect(rows.prefix(3).map(\.result) == [0, 153, 102])
        for row in rows.prefix(3) {
            #expect(row.userName == "alice")
            #expect(row.length == 22)
            #expect(row.level == 1)
            #expect(row.digest == "99a0a0113017b3ef04ab4a8c81dfb4ee99533c8fd94ce589ed87043b02594559")
            #expect(!"\(row)".contains("secret-looking"))
        }
        await store.engine.close()
        for name in ["store.sqlite", "store.sqlite-wal"] {
            let bytes = (try? Data(contentsOf: URL(filePath: store.path + "/" + name))) ?? Data()
            #expect(bytes.range(of: Data("canary-wrong-password".utf8)) == nil)
            #expect(bytes.range(of: Data(TestStore.password.utf8)) == nil)
        }
    }
}

@Suite("The clock")
struct ClockTests {
    @Test(
        "R5: up to 60 s behind the newest recorded time is clamped; more is refused", arguments: [60_000, 60_001])
    func behind(by: Int64) async throws {
        let store = try await TestStore()
        let first = try await store.sign()
        store.clock.advance(-by)
        if by <= 60_000 {
            let second = try await store.sign()
            let times = try [first, second].map {
                try UnverifiedStatement(Array($0.statement.utf8).span).claims.issuedAt
            }
            #expect(times[1] >= times[0], "R5: iat never runs back")
        } else {
            #expect(try await TestStore.refusal { try await store.sign() }?.code == .clockBehind)
            store.clock.advance(by)
            #expect(try await store.sign().level == 1)
        }
    }
}
