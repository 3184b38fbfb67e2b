import CountersignKeys
import CountersignVerifier
import Foundation
import Sessions
import Signing
import SigningService
import Testing

/// A relying service that was seen a moment ago is not looked up again before it signs. What ended it meanwhile holds all the same.
@Suite("Presumed sessions")
struct PresumedSessionTests {
    private let store: TestStore
    private let service: ClientName
    private let token: SessionToken

    init() async throws {
        store = try await TestStore()
        #expect(try await store.engine.set(.allowLevelZero, to: "true"))
        service = try #require(ClientName("shop"))
        let secret = try #require(try await store.engine.addClient(service, credential: .generatedSecret).secret)
        token = try await store.engine.logInClient(service, secret: secret).accessToken
    }

    /// Signs at level 0 for the session as it was a moment ago.
    private func sign(_ presumed: (session: Session, access: [UInt8])) async throws -> SigningRecord {
        try await store.engine.start(
            as: presumed.session, user: TestStore.user("alice"), payloads: .one(Array("text".utf8)),
            reason: Array("test".utf8), level: 0, type: 0, confirming: presumed.access)
    }

    @Test("A bearer token is presumed once it was looked up, for a minute")
    func presumed() async throws {
        #expect(store.engine.presumedSession(token) == nil)
        let session = try await store.engine.session(token)
        let presumed = try #require(store.engine.presumedSession(token))
        #expect(presumed.session == session)
        #expect(try await sign(presumed).state == .signed)
        store.clock.advance(60_000)
        #expect(store.engine.presumedSession(token) == nil)
    }

    @Test("Attack D4: nothing is signed for a session that another process ended, or whose service it locked")
    func ended() async throws {
        let other = try await store.another()
        _ = try await store.engine.session(token)
        let presumed = try #require(store.engine.presumedSession(token))
        try await other.lockClient(service)
        #expect(try await TestStore.refusal { try await sign(presumed) }?.code == .tokenInvalid)
        // Locking ended the session for good.
        try await other.unlockClient(service)
        #expect(try await TestStore.refusal { try await sign(presumed) }?.code == .tokenInvalid)
        #expect(try await store.engine.status().statements == 0)
        await other.close()
    }

    @Test("Attack D4: a presumed session does not outlive its token")
    func expired() async throws {
        _ = try await store.engine.session(token)
        let presumed = try #require(store.engine.presumedSession(token))
        store.clock.advance(3_600_000)
        #expect(try await TestStore.refusal { try await sign(presumed) }?.code == .tokenInvalid)
        #expect(try await store.engine.status().statements == 0)
    }

    @Test("A person's session, which is bound to a key, is never presumed")
    func bound() async throws {
        let user = try TestStore.user("alice")
        let code = try await store.engine.makeActivationCode(for: user).code
        let grant = try await store.engine.enrol(
            user: user, code: code, password: TestStore.secret(TestStore.password), deviceName: "phone",
            key: PrivateKey(generating: .es256).publicKey)
        _ = try await store.engine.session(grant.accessToken)
        #expect(store.engine.presumedSession(grant.accessToken) == nil)
    }
}
