import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

/// What is to be carried: written with what it tells, tried until it is taken or nobody wants it.
struct OutboxTests {
    private static let url = "https://backend.example/hook"

    @Test("An event is in the outbox with what it tells, and not where that was refused or nobody listens")
    func sameCommit() async throws {
        let store = try await TestStore()
        let operatorSession = try await store.logInOperator().session
        let first = try await store.ask()
        #expect(try await store.engine.takeDeliveries(.webhook, limit: 10).isEmpty)
        #expect(try await store.engine.set(.webhook, to: Self.url))
        let second = try await store.ask()
        try await store.engine.withdraw(notification: first, as: operatorSession)
        #expect(
            try await TestStore.code {
                _ = try await store.engine.withdraw(notification: try Self.stranger(), as: operatorSession)
            }
                == .notificationUnknown)
        let taken = try await store.engine.takeDeliveries(.webhook, limit: 10)
        #expect(Set(taken.map(\.event)) == [.notificationMade, .notificationEnded])
        #expect(Set(taken.compactMap(\.notification)) == [first, second])
        #expect(Set(taken.compactMap(\.status)) == ["PENDING", "DISCARDED"])
        for delivery in taken {
            #expect(delivery.address == .webhook(url: Self.url, mayBePrivate: false) && delivery.attempt == 1)
        }
        // Whoever tries them has them.
        #expect(try await store.engine.takeDeliveries(.webhook, limit: 10).isEmpty)
    }

    @Test("What is not taken is tried after 5 seconds, 10, 20, ... an hour at most, and not before Retry-After")
    func backoff() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.webhook, to: Self.url)
        _ = try await store.ask()
        for seconds: Int64 in [5, 10, 20, 40, 80] {
            let delivery = try #require(await store.engine.takeDeliveries(.webhook, limit: 1).first)
            try await store.engine.end(delivery, .later(reason: "503", afterSeconds: 1))
            store.clock.advance(seconds * 1000 - 1)
            #expect(try await store.engine.takeDeliveries(.webhook, limit: 1).isEmpty, "\(seconds)")
            store.clock.advance(1)
        }
        let delivery = try #require(await store.engine.takeDeliveries(.webhook, limit: 1).first)
        #expect(delivery.attempt == 6)
        try await store.engine.end(delivery, .later(reason: "429", afterSeconds: 99_999_999))
        store.clock.advance(3_600_000 - 1)
        #expect(try await store.engine.takeDeliveries(.webhook, limit: 1).isEmpty)
        store.clock.advance(1)
        #expect(try await store.engine.takeDeliveries(.webhook, limit: 1).count == 1)
    }

    @Test("Nobody tries what nobody wants any more; that it failed is in the audit")
    func expiry() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.webhook, to: Self.url)
        _ = try await store.ask()
        store.clock.advance(86_400_000)
        #expect(try await store.engine.takeDeliveries(.webhook, limit: 1).isEmpty)
        #expect(try await store.events().contains("delivery-failed"))
        #expect(try await !store.events().contains { $0.contains(Self.url) })
    }

    @Test("A courier that begins takes up what another was trying, and what has ended has ended")
    func restart() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.webhook, to: Self.url)
        _ = try await store.ask()
        let delivery = try #require(await store.engine.takeDeliveries(.webhook, limit: 1).first)
        try await store.engine.beginDeliveries()
        let again = try #require(await store.engine.takeDeliveries(.webhook, limit: 1).first)
        #expect(again.id == delivery.id && again.attempt == 2)
        try await store.engine.end(again, .delivered(receipt: "200"))
        // The first one was only slow.
        try await store.engine.end(delivery, .later(reason: "503", afterSeconds: nil))
        try await store.engine.beginDeliveries()
        store.clock.advance(3_600_000)
        #expect(try await store.engine.takeDeliveries(.webhook, limit: 1).isEmpty)
    }

    @Test(
        "K12: a push goes to the newest token of each device that has one; one that is gone is forgotten, and a newer one is not"
    )
    func pushTokens() async throws {
        let store = try await TestStore()
        let (alice, _) = (try await store.person(), try await store.person(device: "tablet"))
        let (old, new) = (try Self.token("aa"), try Self.token("bb"))
        try await store.engine.enrolForPush(old, as: alice.session)
        let asked = try await store.ask()
        let device = try #require(alice.session.device)
        let first = try #require(await store.engine.takeDeliveries(.apns, limit: 10).first { $0.notification == asked })
        #expect(first.address == .device(device, token: "aa", isDevelopment: false))
        try await store.engine.enrolForPush(new, as: alice.session)
        try await store.engine.end(first, .tokenGone(reason: "410 Unregistered"))
        let second = try await store.ask()
        let next = try #require(await store.engine.takeDeliveries(.apns, limit: 10).first { $0.notification == second })
        #expect(next.address == .device(device, token: "bb", isDevelopment: false))
        try await store.engine.end(next, .tokenGone(reason: "410 Unregistered"))
        let third = try await store.ask()
        #expect(try await !store.engine.takeDeliveries(.apns, limit: 10).contains { $0.notification == third })
    }

    @Test(
        "Only an https URL of a server is a webhook",
        arguments: [
            "http://x/", "https://", "https:///x", "https://:1/", "https://a@b/", "https://a b/", "https://a/#b",
            "https://a\\b/", "https://%61/", "HTTPS://a/", "", "None", "https://\u{E4}.example/",
        ])
    func urls(url: String) async throws {
        let store = try await TestStore()
        #expect(try await !store.engine.set(.webhook, to: url))
        #expect(try await store.engine.set(.webhook, to: "none"))
    }

    private static func stranger() throws -> UUIDText {
        try #require(UUIDText("00000000-0000-4000-8000-000000000000"))
    }

    private static func token(_ text: String) throws -> PushToken {
        try PushToken(transport: .apns, environment: .production, text: text)
    }
}
