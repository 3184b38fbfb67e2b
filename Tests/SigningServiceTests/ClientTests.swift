import CountersignKeys
import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Relying services")
struct ClientTests {
    @Test("A service logs in with its secret, as a bearer or bound to a key; the token lives an hour, without refresh")
    func secret() async throws {
        let store = try await TestStore()
        let (secret, grant) = try await store.service()
        let shop = try #require(ClientName("shop"))
        #expect(grant.tokenType == .bearer)
        #expect(grant.expiresIn == 3600)
        #expect(grant.refreshToken == nil)
        #expect(try await store.engine.session(grant.accessToken).owner == .service(shop))
        let bound = try await store.engine.logInClient(
            shop, secret: secret, thumbprint: String(repeating: "a", count: 43))
        #expect(bound.tokenType == .dpop)
        store.clock.advance(3_600_000)
        #expect(try await !store.isAlive(grant.accessToken))
        #expect(try await store.engine.clients().map(\.name) == [shop])
    }

    @Test("Whatever is wrong with a service's credential, the refusal is the same")
    func refused() async throws {
        let store = try await TestStore()
        let (secret, _) = try await store.service()
        let key = try PrivateKey(generating: .es256).publicKey
        _ = try await store.engine.addClient(#require(ClientName("keyed")), credential: .key(key))
        let locked = try await store.service("locked")
        try await store.engine.lockClient(#require(ClientName("locked")))
        for (name, given) in [
            ("shop", try SessionToken.generate(.clientSecret)), ("shop", try SessionToken.generate(.access)),
            ("shop", nil), ("nobody", secret), ("keyed", secret), ("locked", locked.secret), ("", secret),
        ] {
            let refusal = try await TestStore.refusal {
                try await store.engine.logInClient(ClientName(name), secret: given)
            }
            #expect(refusal == Refusal(.clientInvalid), "\(name)")
        }
        #expect(try await store.events().contains("client-refused"))
    }

    @Test("RFC 7523: a service logs in with a signature of its key, if whoever checks it is content")
    func assertion() async throws {
        let store = try await TestStore()
        let key = try PrivateKey(generating: .es256).publicKey
        let name = try #require(ClientName("keyed"))
        let added = try await store.engine.addClient(name, credential: .key(key))
        #expect(added.secret == nil)
        #expect(added.client.key == key)
        let grant = try await store.engine.logInClient(name) { #expect($0 == key) }
        #expect(try await store.isAlive(grant.accessToken))
        let refusal = try await TestStore.refusal {
            try await store.engine.logInClient(name) { _ in throw Refusal(.proofInvalid) }
        }
        #expect(refusal == Refusal(.clientInvalid))
        _ = try await store.service()
        for other in ["shop", "nobody"] {
            let refusal = try await TestStore.refusal {
                try await store.engine.logInClient(ClientName(other)) { _ in Issue.record("there is no key") }
            }
            #expect(refusal == Refusal(.clientInvalid))
        }
    }

    @Test("Attack D4: a locked service's tokens are dead at once, and do not come back; names are given once")
    func locks() async throws {
        let store = try await TestStore()
        let (secret, grant) = try await store.service()
        let shop = try #require(ClientName("shop"))
        #expect(try await store.engine.lockClient(shop).isLocked)
        #expect(try await !store.isAlive(grant.accessToken))
        try await store.engine.lockClient(shop)
        #expect(try await !store.engine.unlockClient(shop).isLocked)
        #expect(try await !store.isAlive(grant.accessToken))
        #expect(try await store.isAlive(store.engine.logInClient(shop, secret: secret).accessToken))
        #expect(try await TestStore.code { _ = try await store.service() } == .clientExists)
        #expect(
            try await TestStore.code { try await store.engine.lockClient(#require(ClientName("nobody"))) }
                == .clientUnknown)
        #expect(
            try await store.events().filter { $0.hasPrefix("client-") } == [
                "client-added", "client-locked", "client-unlocked",
            ])
    }

    @Test("A service signs at level 0 for a user that it names, and sees its own signings and statements only")
    func levelZero() async throws {
        let store = try await TestStore()
        let shop = try await store.service().grant.session
        let bank = try await store.service("bank").grant.session
        let alice = try await store.person().session
        func code(_ session: Session, level: Int, user: String?) async throws -> Refusal.Code? {
            try await TestStore.code { _ = try await store.start(session, level: level, user: user) }
        }
        #expect(try await code(shop, level: 0, user: "alice") == .methodNotSupported, "O10: not allowed yet")
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        #expect(try await code(shop, level: 1, user: "alice") == .methodNotSupported)
        #expect(try await code(shop, level: 0, user: nil) == .memberMissing)
        #expect(try await code(shop, level: 0, user: "nobody") == .authenticationFailed)
        let record = try await store.start(shop, level: 0, user: "alice")
        #expect(record.state == .signed)
        let result = try #require(record.result)
        let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
        #expect(claims.audience == "shop")
        #expect(claims.subject.text == "alice")
        #expect(claims.ceremony == record.id)
        _ = try await store.start(bank, level: 0, user: "alice")
        _ = try await store.sign()
        // Each sees its own, a person theirs, an operator all.
        for (owner, count) in [(shop.owner, 1), (bank.owner, 1), (alice.owner, 3), (.operator, 3)] {
            #expect(try await store.engine.statements(.init(), .first, as: owner).count == count)
        }
        #expect(try await store.engine.statements(.init(audience: "shop"), .first, as: bank.owner).isEmpty)
        #expect(try await store.engine.statements(.init(userName: "bob"), .first, as: alice.owner).isEmpty)
        #expect(try await store.engine.statement(claims.id, as: shop.owner).text == result.statement)
        #expect(try await store.engine.signing(record.id, as: shop.owner).result?.signatureID == result.signatureID)
        #expect(
            try await TestStore.code { _ = try await store.engine.statement(claims.id, as: bank.owner) }
                == .statementUnknown)
        #expect(
            try await TestStore.code { _ = try await store.engine.signing(record.id, as: bank.owner) }
                == .ceremonyUnknown)
        #expect(
            try await TestStore.code { try await store.engine.reset(ceremony: record.id, as: bank.owner) }
                == .ceremonyUnknown)
    }
}
