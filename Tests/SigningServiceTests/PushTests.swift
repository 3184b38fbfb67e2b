import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

@Suite("Push challenges of the service")
struct PushTests {
    private func token(_ text: String = "a1b2") throws -> PushToken {
        try PushToken(transport: .apns, environment: .production, text: text)
    }

    /// What waits for a device, verified.
    private func challenges(_ store: TestStore, _ person: Person) async throws -> [PushClaims] {
        let trust = try await store.engine.trust()
        let issuer = try await store.engine.status().facts.issuer
        return try await store.engine.pushChallenges(as: person.session).map { challenge in
            let read = try #require(try UnverifiedPushChallenge.read(Array(challenge.text.utf8)))
            let claims = try read.verified(
                by: trust, issuer: issuer, at: store.clock.now, allowedClockSkewInSeconds: 0)
            #expect(claims.notification == challenge.notification)
            return claims
        }
    }

    private func code(_ body: () async throws -> Void) async throws -> Refusal.Code? { try await TestStore.code(body) }

    @Test(
        "K01, K22, K38: each enrolled device has its own challenge for what waits, oldest first, until it is received")
    func queue() async throws {
        let store = try await TestStore()
        let (phone, tablet) = (try await store.person(), try await store.person(device: "tablet"))
        #expect(try await code { _ = try await store.engine.pushChallenges(as: phone.session) } == .pushNotEnrolled)
        try await store.engine.enrolForPush(token(), as: phone.session)
        try await store.engine.enrolForPush(token("ff"), as: tablet.session)
        let first = try await store.ask()
        store.clock.advance(1_001)
        let second = try await store.ask(TestStore.question(life: 60_000))
        for person in [phone, tablet] {
            let claims = try await challenges(store, person).filter { [first, second].contains($0.notification) }
            #expect(claims.map(\.notification) == [first, second])
            #expect(claims.allSatisfy { $0.device == person.session.device && $0.matter == "message" })
            #expect(claims.allSatisfy { $0.issuedAt == store.clock.now / 1000 })
            #expect(claims.last?.expiresAt == (store.clock.now + 60_000 + 999) / 1000)
        }
        let ids = try await challenges(store, phone).map(\.id) + challenges(store, phone).map(\.id)
        #expect(Set(ids).count == ids.count, "each text has an id of its own")
        for _ in 1...2 { try await store.engine.receive(notification: first, as: phone.session) }
        #expect(try await !challenges(store, phone).map(\.notification).contains(first))
        #expect(try await challenges(store, tablet).map(\.notification).contains(first), "the other has not")
        #expect(try await store.inbox().contains(first), "it waits for an answer all the same")
        store.clock.advance(60_000)
        #expect(try await !challenges(store, phone).map(\.notification).contains(second), "it is over")
        try await store.choose("Reject", of: first, phone)
        #expect(try await !challenges(store, tablet).map(\.notification).contains(first), "it was answered")
    }

    @Test("K12, K18, K20: a new token takes the old one's place; an enrolment ends once, and the device stays")
    func enrolment() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let device = try #require(alice.session.device)
        for text in ["a1", "a1", "b2"] { try await store.engine.enrolForPush(token(text), as: alice.session) }
        let database = try await store.database()
        #expect(try await database.read { try PushTokenRow.find(device.text, on: $0)?.token } == "b2")
        #expect(try await store.events().filter { $0 == "push-enrolled" }.count == 2, "the same once more is no change")
        try await database.write { try PushTokenRow.forget("a1", of: device.text, at: 5, on: $0) }
        #expect(
            try await database.read { try PushTokenRow.find(device.text, on: $0)?.token } == "b2", "a newer one stays")
        try await database.write { try PushTokenRow.forget("b2", of: device.text, at: 5, on: $0) }
        let waiting = try await store.ask()
        #expect(try await challenges(store, alice).map(\.notification) == [waiting], "without a token it fetches")
        try await store.engine.endPushEnrolment(as: alice.session)
        for _ in 1...2 {
            #expect(try await code { try await store.engine.endPushEnrolment(as: alice.session) } == .pushNotEnrolled)
        }
        #expect(try await code { _ = try await store.engine.pushChallenges(as: alice.session) } == .pushNotEnrolled)
        #expect(try await store.inbox() == [waiting])
        await database.close()
    }

    @Test(
        "attack N4, K02-K04: what was not sent to a device it cannot have received, and a later device has no old challenges"
    )
    func others() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.engine.addUser(TestStore.user("bob"), password: nil)
        let bob = try await store.person("bob", password: "another password")
        let asked = try await store.ask()
        let late = try await store.person(device: "tablet")
        for person in [bob, late] {
            try await store.engine.enrolForPush(token(), as: person.session)
            #expect(try await !challenges(store, person).map(\.notification).contains(asked))
            #expect(
                try await code { try await store.engine.receive(notification: asked, as: person.session) }
                    == .notificationUnknown)
        }
        let shop = try await store.service().grant.session
        let device = try #require(alice.session.device)
        for session in [shop, try await store.logInOperator().session] {
            #expect(try await code { _ = try await store.engine.pushChallenges(as: session) } == .scopeInsufficient)
            #expect(
                try await code { try await store.engine.enrolForPush(token(), as: session) } == .scopeInsufficient)
        }
        let made = try #require(try await store.engine.pushChallenge(for: asked, on: device))
        #expect(made.notification == asked)
        #expect(try await store.engine.pushChallenge(for: asked, on: try #require(bob.session.device)) == nil)
    }

    @Test("attack D4, K19: a blocked device is told nothing, a deleted one is not enrolled any more")
    func ended() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let device = try #require(alice.session.device)
        try await store.engine.enrolForPush(token(), as: alice.session)
        let asked = try await store.ask()
        #expect(try await store.engine.pushChallenge(for: asked, on: device) != nil)
        _ = try await store.engine.block(device, of: TestStore.user("alice"))
        #expect(try await store.engine.pushChallenge(for: asked, on: device) == nil)
        #expect(
            try await code { try await store.engine.enrolForPush(token("dd"), as: alice.session) } == .tokenInvalid)
        try await store.engine.delete(device, of: TestStore.user("alice"))
        let database = try await store.database()
        #expect(try await database.read { try PushTokenRow.find(device.text, on: $0) } == nil)
        await database.close()
    }

    @Test("A challenge is signed by the key that is active now")
    func rotation() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.engine.enrolForPush(token(), as: alice.session)
        let asked = try await store.ask()
        _ = try await store.engine.rotateKeys(to: nil, algorithm: .edDSA)
        #expect(try await challenges(store, alice).map(\.notification) == [asked])
    }
}
