import CountersignKeys
import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

@Suite("Sessions")
struct SessionTests {
    private func refresh(
        _ store: TestStore, _ token: SessionToken?, _ thumbprint: String, engine: SigningEngine? = nil,
        once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant? {
        do {
            return try await (engine ?? store.engine).refresh(#require(token), thumbprint: thumbprint, once: once)
        } catch let refusal as Refusal {
            #expect(refusal.code == .grantInvalid)
            return nil
        }
    }

    @Test("An access token lives 300 s, exactly; what is no access token is refused alike")
    func accessLife() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for token in [alice.grant.refreshToken, try SessionToken.generate(.access)] {
            #expect(try await !store.isAlive(#require(token)))
        }
        store.clock.advance(299_999)
        #expect(try await store.isAlive(alice.grant.accessToken))
        store.clock.advance(1)
        let refusal = try await TestStore.refusal { try await store.engine.session(alice.grant.accessToken) }
        #expect(refusal == Refusal(.tokenInvalid))
    }

    @Test("Attack R5: a clock that jumps back brings no token back to life")
    func clockBack() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        store.clock.advance(300_000)
        _ = try await store.sign()
        store.clock.advance(-30_000)
        #expect(try await !store.isAlive(alice.grant.accessToken))
        store.clock.advance(-60_000)
        #expect(
            try await TestStore.code { _ = try await store.engine.session(alice.grant.accessToken) } == .clockBehind)
    }

    @Test("The store holds digests of tokens, never a token, code or secret (attack L1)")
    func hashedAtRest() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let shop = try await store.service()
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        let operatorToken = try await store.engine.makeOperatorToken()
        let texts = [
            alice.grant.accessToken.text, try #require(alice.grant.refreshToken).text, shop.secret.text,
            shop.grant.accessToken.text, code.text, String(code.text.suffix(11)), operatorToken.text,
        ]
        await store.engine.close()
        for name in ["store.sqlite", "store.sqlite-wal"] {
            let bytes = try store.bytes(name)
            for text in texts { #expect(!bytes.contains(text), "\(name)") }
        }
    }

    @Test("RFC 6749 6: a refresh gives a new pair and ends the old one; the session slides, its log-in does not")
    func refreshes() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        store.clock.advance(3_600_000)
        let next = try #require(try await refresh(store, alice.grant.refreshToken, alice.thumbprint))
        #expect(next.session.id == alice.session.id)
        #expect(next.session.authTime == alice.session.authTime)
        #expect(next.session.expiresAt == store.clock.now + 30 * 86_400_000)
        #expect(try await store.isAlive(next.accessToken))
        #expect(try await !store.isAlive(alice.grant.accessToken))
        store.clock.advance(30 * 86_400_000 - 1)
        let last = try #require(try await refresh(store, next.refreshToken, alice.thumbprint))
        store.clock.advance(30 * 86_400_000)
        #expect(try await refresh(store, last.refreshToken, alice.thumbprint) == nil, "over")
    }

    @Test("RFC 9700 4.14: a used refresh token ends the session, however long ago it was used", arguments: [1, 3])
    func reuse(rotations: Int) async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        var grant = alice.grant
        for _ in 0..<rotations {
            grant = try #require(try await refresh(store, grant.refreshToken, alice.thumbprint))
        }
        #expect(try await refresh(store, alice.grant.refreshToken, "another key") == nil)
        #expect(try await store.isAlive(grant.accessToken), "whoever lacks the key ends nothing")
        #expect(try await refresh(store, alice.grant.refreshToken, alice.thumbprint) == nil)
        #expect(try await !store.isAlive(grant.accessToken))
        #expect(try await refresh(store, grant.refreshToken, alice.thumbprint) == nil)
        #expect(try await store.events().last == "session-reuse")
    }

    @Test("A refresh token works with the session's key alone; a wrong kind of token and a made-up one do not")
    func boundRefresh() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.person("alice", device: "tablet")
        #expect(try await refresh(store, alice.grant.refreshToken, other.thumbprint) == nil)
        #expect(try await refresh(store, alice.grant.accessToken, alice.thumbprint) == nil)
        #expect(try await refresh(store, SessionToken.generate(.refresh), alice.thumbprint) == nil)
        #expect(try await refresh(store, alice.grant.refreshToken, alice.thumbprint) != nil)
    }

    @Test("A refresh that is raced by twenty, over two engines: one pair at most, and then the session is over")
    func racedRefresh() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        let grants = try await race(20) { index in
            try await refresh(
                store, alice.grant.refreshToken, alice.thumbprint, engine: index.isMultiple(of: 2) ? other : nil)
        }
        #expect(grants.compactMap { $0 }.count == 1)
        #expect(try await store.engine.sessions(of: .person(TestStore.user("alice"))).isEmpty)
        #expect(try await store.events().count { $0 == "session-reuse" } == 1)
        await other.close()
    }

    @Test("Attack D4: a locked user's sessions end at once, and stay ended; their open signing too")
    func lockedUser() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let open = try await store.start(alice.session)
        try await store.engine.lock(TestStore.user("alice"))
        #expect(try await !store.isAlive(alice.grant.accessToken))
        #expect(try await refresh(store, alice.grant.refreshToken, alice.thumbprint) == nil)
        #expect(
            try await store.engine.audit(.init(event: "user-locked"), .first).first?.detail == "sessions ended: 1")
        try await store.engine.unlock(TestStore.user("alice"))
        #expect(try await !store.isAlive(alice.grant.accessToken))
        #expect(try await store.engine.signing(open.id, as: .operator).state == .cancelled)
        #expect(try await store.logIn(alice.key).session.owner == alice.session.owner)
    }

    @Test("Attack D4: a deleted device's tokens are dead on the next request, on every engine")
    func deletedDevice() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        #expect(try await store.isAlive(alice.grant.accessToken, engine: other))
        let id = try #require(alice.session.device).text
        try await store.change { connection in
            var device = try #require(try DeviceRow.find(id, on: connection))
            device.state = .deleted
            try device.update(on: connection)
        }
        for engine in [store.engine, other] {
            #expect(try await !store.isAlive(alice.grant.accessToken, engine: engine))
        }
        #expect(try await refresh(store, alice.grant.refreshToken, alice.thumbprint) == nil)
        #expect(try await store.engine.sessions(of: alice.session.owner).isEmpty)
        #expect(try await TestStore.code { _ = try await store.logIn(alice.key) } == .authenticationFailed)
        await other.close()
    }

    @Test("A new password, or none, ends the sessions", arguments: [true, false])
    func passwordChanges(isCleared: Bool) async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let name = try TestStore.user("alice")
        if isCleared {
            #expect(try await !store.engine.clearPassword(of: name).hasPassword)
        } else {
            try await store.engine.setPassword(TestStore.secret("another password"), of: name)
        }
        #expect(try await !store.isAlive(alice.grant.accessToken))
        #expect(try await TestStore.code { _ = try await store.logIn(alice.key) } == .authenticationFailed)
        if isCleared {
            let next = try await store.person(password: "the next password")
            #expect(try await store.isAlive(next.grant.accessToken))
        }
    }

    @Test("One's own sessions can be listed and ended, others' are as if they were not there")
    func lists() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.engine.addUser(TestStore.user("bob"), password: nil)
        let bob = try await store.person("bob")
        let second = try await store.logIn(alice.key)
        let shop = try await store.service()
        func end(_ session: Session, as owner: Session.Owner?) async throws -> Refusal.Code? {
            try await TestStore.code { try await store.engine.endSession(session.id, of: owner) }
        }
        for owner in [alice.session.owner, shop.grant.session.owner, .operator] {
            #expect(try await end(bob.session, as: owner) == .sessionUnknown)
        }
        #expect(try await store.isAlive(bob.grant.accessToken))
        let open = try await store.start(alice.session)
        #expect(try await end(alice.session, as: alice.session.owner) == nil)
        #expect(try await end(alice.session, as: alice.session.owner) == .sessionUnknown)
        #expect(try await store.engine.signing(open.id, as: alice.session.owner).state == .cancelled)
        #expect(
            try await store.engine.sessions(of: alice.session.owner).map(\.session.id) == [second.session.id])
        #expect(try await end(bob.session, as: nil) == nil, "an operator ends any")
        #expect(try await end(shop.grant.session, as: shop.grant.session.owner) == nil)
        let third = try await store.logIn(alice.key)
        let name = try TestStore.user("alice")
        #expect(try await store.engine.endSessions(of: name, except: third.session.id) == 1)
        #expect(try await store.isAlive(third.accessToken))
        #expect(try await store.engine.endSessions(of: name) == 1)
        #expect(try await store.events().suffix(2) == ["session-ended", "session-ended"])
        #expect(
            try await TestStore.code { _ = try await store.engine.endSessions(of: TestStore.user("nobody")) }
                == .userUnknown)
    }

    @Test("A person has a hundred sessions at most: the oldest makes room, others' are untouched")
    func limit() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.engine.addUser(TestStore.user("bob"), password: nil)
        let bob = try await store.person("bob")
        store.clock.advance(1)
        for _ in 0..<99 { _ = try await store.logIn(alice.key) }
        #expect(try await store.isAlive(alice.grant.accessToken))
        _ = try await store.logIn(alice.key)
        #expect(try await !store.isAlive(alice.grant.accessToken))
        #expect(try await store.isAlive(bob.grant.accessToken))
        #expect(try await store.engine.sessions(of: alice.session.owner).count == 100)
        #expect(try await store.engine.audit(.init(event: "session-ended"), .first).count == 1)
        let first = try await store.logInOperator()
        store.clock.advance(1)
        for _ in 0..<100 { _ = try await store.logInOperator() }
        #expect(try await !store.isAlive(first.accessToken))
        #expect(try await store.engine.sessions(of: .operator).count == 100)
    }

    @Test("The use of a session is noted once a minute, and needs no disk to go on")
    func lastUse() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        store.clock.advance(59_999)
        #expect(try await store.isAlive(alice.grant.accessToken))
        #expect(try await store.engine.session(alice.grant.accessToken).lastUsedAt == alice.session.createdAt)
        store.clock.advance(1)
        _ = try await store.engine.session(alice.grant.accessToken)
        #expect(try await store.engine.session(alice.grant.accessToken).lastUsedAt == store.clock.now)
        try await store.change { connection in
            try connection.run(
                "CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        store.clock.advance(60_000)
        #expect(try await store.isAlive(alice.grant.accessToken))
    }

    @Test("What is over is forgotten: sessions, used refresh tokens, codes, with the next log-in")
    func forgets() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        _ = try await store.service()
        _ = try await store.engine.makeActivationCode(for: TestStore.user("alice"))
        _ = try await refresh(store, alice.grant.refreshToken, alice.thumbprint)
        store.clock.advance(31 * 86_400_000)
        _ = try await store.logIn(alice.key)
        let database = try await store.database()
        for (table, count) in [("sessions", 1), ("refreshes", 1), ("activations", 0)] {
            let found = try await database.read { connection in
                try connection.row("SELECT COUNT(*) AS n FROM \(table)")?.int("n")
            }
            #expect(found == count, "\(table)")
        }
        await database.close()
    }
}
