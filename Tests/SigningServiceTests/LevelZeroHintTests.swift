import CountersignKeys
import CountersignVerifier
import Foundation
import Sessions
import Signing
import SigningService
import Storage
import Testing

/// Level 0 begins with what an earlier transaction saw of the store. Nobody may notice.
@Suite("Level 0, when the store has changed since")
struct LevelZeroHintTests {
    private func store() async throws -> TestStore {
        let store = try await TestStore()
        #expect(try await store.engine.set(.allowLevelZero, to: "true"))
        // From here on the engine has seen a transaction.
        _ = try await sign(store.engine)
        return store
    }

    private func sign(
        _ engine: SigningEngine, user: String = "alice", payload: String = "text", asker: Asker? = nil
    ) async throws -> UnverifiedStatement {
        let outcome = try await engine.start(
            user: TestStore.user(user), payload: Array(payload.utf8), reason: Array("test".utf8), level: 0, type: 0,
            asker: asker ?? TestStore.asker())
        guard case .signed(let result) = outcome else { throw CocoaError(.coderInvalidValue) }
        return try UnverifiedStatement(Array(result.statement.utf8).span)
    }

    @Test("A key that another process made active signs the next statement")
    func rotated() async throws {
        let store = try await store()
        let other = try await store.another()
        let before = try await sign(store.engine).keyID
        let key = try await other.rotateKeys(to: nil, algorithm: .edDSA)
        let after = try await sign(store.engine).keyID
        #expect(after != before)
        #expect(after == key.id)
        await other.close()
    }

    @Test("S06, O10: what another process allows or forbids holds at once")
    func switched() async throws {
        let store = try await store()
        let other = try await store.another()
        #expect(try await other.set(.allowLevelZero, to: "false"))
        #expect(try await TestStore.refusal { try await sign(store.engine) }?.code == .methodNotSupported)
        // Before any look at the texts, also where the hint was wrong.
        #expect(try await TestStore.refusal { try await sign(store.engine, payload: "") }?.code == .methodNotSupported)
        #expect(try await other.set(.allowLevelZero, to: "true"))
        _ = try await sign(store.engine)
        #expect(try await TestStore.refusal { try await sign(store.engine, payload: "") }?.code == .payloadEmpty)
        await other.close()
    }

    @Test("A user whom another process locked does not sign, and nobody signs for a user who is not there")
    func locked() async throws {
        let store = try await store()
        let other = try await store.another()
        try await other.lock(TestStore.user("alice"))
        #expect(try await TestStore.refusal { try await sign(store.engine) }?.code == .authenticationFailed)
        #expect(
            try await TestStore.refusal { try await sign(store.engine, user: "bob") }?.code == .authenticationFailed)
        #expect(try await store.engine.status().statements == 1)
        await other.close()
    }

    @Test("O08: not while the session has another signing open; when that is over, again")
    func open() async throws {
        let store = try await store()
        let asker = try TestStore.asker()
        _ = try await store.challenge(asker: asker)
        #expect(try await TestStore.refusal { try await sign(store.engine, asker: asker) }?.code == .ceremonyOpen)
        store.clock.advance(120_000)
        _ = try await sign(store.engine, asker: asker)
    }

    @Test(
        "R5: iat never runs back with the clock; more than 60 s is refused",
        arguments: [1_000, 60_000, 60_001] as [Int64])
    func clock(by: Int64) async throws {
        let store = try await store()
        store.clock.advance(5_000)
        let first = try await sign(store.engine).claims.issuedAt
        store.clock.advance(-by)
        guard by <= 60_000 else {
            #expect(try await TestStore.refusal { try await sign(store.engine) }?.code == .clockBehind)
            return
        }
        for _ in 0..<2 { #expect(try await sign(store.engine).claims.issuedAt == first) }
        store.clock.advance(by + 1_000)
        #expect(try await sign(store.engine).claims.issuedAt == first + 1)
    }

    @Test("Of many at once, those that are refused take no other with them")
    func many() async throws {
        let store = try await store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let refusal = try await TestStore.refusal {
                        try await sign(store.engine, user: number.isMultiple(of: 3) ? "bob" : "alice")
                    }
                    #expect(refusal?.code == (number.isMultiple(of: 3) ? .authenticationFailed : nil))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.engine.status().statements == 41)
        #expect(try await store.events().count { $0 == "signed" } == 41)
    }

    @Test("The statement is found by its ceremony, of which nothing else is kept")
    func byCeremony() async throws {
        let store = try await store()
        let claims = try await sign(store.engine).claims
        let record = try await store.engine.signing(claims.ceremony, as: .person(claims.subject))
        #expect(record.state == .signed)
        #expect(record.result?.signatureID == claims.id.text)
        #expect(record.issuedAt / 1000 == claims.issuedAt)
        // Harmless at any time (S32), for whom it belongs to.
        try await store.engine.reset(ceremony: claims.ceremony, as: .person(claims.subject))
        let stranger = try TestStore.user("bob")
        #expect(
            try await TestStore.refusal {
                try await store.engine.reset(ceremony: claims.ceremony, as: .person(stranger))
            }?
            .code == .ceremonyUnknown)
    }
}
