import CountersignKeys
import CountersignVerifier
import Foundation
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

@Suite("Races")
struct RaceTests {
    private enum Outcome: Hashable {
        case signed(String)
        case wrong(left: Int)
        case refused(Refusal.Code)
    }

    private func answer(_ engine: SigningEngine, _ challenge: Challenge, _ password: String) async throws -> Outcome {
        do {
            switch try await engine.answer(challenge, with: TestStore.secret(password)) {
            case .signed(let result): return .signed(result.signatureID)
            case .signedAll: throw CocoaError(.coderInvalidValue)
            case .challenged(let again): return .wrong(left: again.attemptsLeft)
            }
        } catch let refusal as Refusal {
            return .refused(refusal.code)
        }
    }

    @Test(
        "S1: 50 wrong answers at once, over two engines: three count, then the block; never more, never fewer than none"
    )
    func parallelWrongAnswers() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        var challenges: [Challenge] = []
        for _ in 0..<50 { challenges.append(try await store.challenge()) }
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (index, challenge) in challenges.enumerated() {
                let engine = index.isMultiple(of: 2) ? store.engine : other
                group.addTask { try await answer(engine, challenge, "wrong password \(index)") }
            }
            var outcomes: [Outcome] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        #expect(outcomes.allSatisfy { if case .signed = $0 { false } else { true } })
        let user = try #require(try await store.engine.users().first)
        #expect(user.wrongAnswers == 3)
        #expect(user.blockedUntil == store.clock.now + 5 * 60_000)
        let events = try await store.events()
        #expect(events.count { $0 == "attempts-exhausted" } == 1)
        #expect(events.count { $0 == "answer-wrong" } == 49, "each outcome has its one audit row")
        await other.close()
    }

    @Test("S2: the right answer among two wrong ones still counts; what races the last attempt waits for it")
    func rightAmongWrong() async throws {
        let store = try await TestStore()
        var challenges: [Challenge] = []
        for _ in 0..<12 { challenges.append(try await store.challenge()) }
        // At most two wrong answers at a time: whoever finds no attempt free waits, and the right ones give theirs back.
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (index, challenge) in challenges.enumerated() {
                group.addTask { try await answer(store.engine, challenge, index < 2 ? "wrong" : TestStore.password) }
            }
            var outcomes: [Outcome] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        #expect(
            outcomes.count { if case .signed = $0 { true } else { false } } == 10, "parallel right answers all work")
        #expect(try await store.engine.users().first?.blockedUntil == nil)
    }

    @Test("S3: the same right answer twenty times at once, over two engines: one statement")
    func parallelRightAnswers() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let challenge = try await store.challenge()
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for index in 0..<20 {
                let engine = index.isMultiple(of: 2) ? store.engine : other
                group.addTask { try await answer(engine, challenge, TestStore.password) }
            }
            var outcomes: [Outcome] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        let ids = outcomes.compactMap { if case .signed(let id) = $0 { id } else { nil } }
        #expect(ids.count == 1)
        #expect(outcomes.count { $0 == .refused(.ceremonyAnswered) } == 19)
        #expect(try await store.engine.status().statements == 1)
        // Replayed later, too.
        #expect(try await answer(store.engine, challenge, TestStore.password) == .refused(.ceremonyAnswered))
        #expect(try await store.challenge().attemptsLeft == 3)
        await other.close()
    }

    @Test("S5: a reset racing the answer: signed or reset, never both", arguments: 0..<10)
    func resetRacesAnswer(round: Int) async throws {
        let store = try await TestStore()
        let asker = try TestStore.asker()
        let challenge = try await store.challenge(asker: asker)
        async let answered = answer(store.engine, challenge, TestStore.password)
        async let reset: Void = store.engine.reset(asker)
        let outcome = try await answered
        try await reset
        let events = try await store.events()
        if case .signed = outcome {
            #expect(try await store.engine.status().statements == 1)
            #expect(!events.contains("ceremony-reset"))
        } else {
            #expect(try await store.engine.status().statements == 0)
            #expect(events.contains("ceremony-reset"))
        }
        #expect(try await store.challenge().attemptsLeft == 3)
    }

    @Test("Right answers at once all work, also while the first of them gives the hash its new parameters")
    func upgradeRace() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.passwordHash, to: "m=128,t=1,p=1")
        let before = try #require(try await store.engine.users().first?.passwordSetAt)
        store.clock.advance(1000)
        try await withThrowingTaskGroup(of: SignedResult.self) { group in
            for _ in 0..<8 { group.addTask { try await store.sign() } }
            for try await _ in group {}
        }
        #expect(try await store.engine.status().statements == 8)
        #expect(try await store.engine.users().first?.passwordSetAt == before, "no password was set")
    }

    @Test("K6: rotation under load: every statement verifies under the newest trust, none is lost")
    func rotationUnderLoad() async throws {
        let store = try await TestStore()
        let results = try await withThrowingTaskGroup(of: SignedResult.self) { group in
            for _ in 0..<30 { group.addTask { try await store.sign() } }
            for _ in 0..<5 {
                // The time goes on: a statement must not be older than its key.
                store.clock.advance(1000)
                try await store.engine.rotateKeys(to: nil, algorithm: .es256)
            }
            var results: [SignedResult] = []
            for try await result in group { results.append(result) }
            return results
        }
        let verifier = StatementVerifier(trust: try await store.engine.trust())
        for result in results {
            guard case .valid = verifier.verify(Array(result.statement.utf8), at: store.clock.now / 1000) else {
                Issue.record("not valid")
                continue
            }
        }
        #expect(Set(results.map(\.signatureID)).count == 30)
        #expect(try await store.engine.keys().count { $0.state == .active } == 1)
    }
}
