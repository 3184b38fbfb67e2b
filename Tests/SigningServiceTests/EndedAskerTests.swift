import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Who may no longer answer")
struct EndedAskerTests {
    @Test("R6: a restored store asks nothing again that may have been answered since")
    func restored() async throws {
        let store = try await TestStore()
        _ = try await store.person()
        let id = try await store.ask()
        try await store.engine.beginRestored()
        #expect(try await store.state(id).status == .dismissed)
        #expect(try await store.events().suffix(2) == ["notification-dismissed", "store-restored"])
    }

    @Test("D4: the session ended, or its user was locked, since it was looked up", arguments: [true, false])
    func ended(locks: Bool) async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask()
        if locks {
            try await store.engine.lock(TestStore.user("alice"))
        } else {
            try await store.engine.endSessions(of: TestStore.user("alice"))
        }
        let answered = try await TestStore.code {
            _ = try await store.engine.answer(notification: id, as: alice.session, action: "Reject")
        }
        let dismissed = try await TestStore.code {
            try await store.engine.dismiss(notification: id, as: alice.session)
        }
        #expect(answered == .tokenInvalid && dismissed == .tokenInvalid)
        #expect(try await store.state(id).status == .pending)
    }

    @Test("Of two devices the one that the other renames is told")
    func renamed() async throws {
        let store = try await TestStore()
        let (phone, laptop) = (try await store.person(), try await store.person(device: "laptop"))
        let before = try await store.inbox()
        store.clock.advance(1)
        try await store.update([.rename(laptop, "not mine")], phone)
        let news = try #require(try await store.inbox().first { !before.contains($0) })
        try await store.engine.dismiss(notification: news, as: laptop.session)
    }

    @Test("A probation that is set while a challenge is open holds at once")
    func probation() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let asker = Asker(session: alice.session.id, device: alice.session.device)
        let challenge = try await store.challenge(asker: asker)
        _ = try await store.engine.set(.probationHours, to: "12")
        let refused = try await TestStore.code {
            _ = try await store.engine.answer(challenge, with: TestStore.secret(TestStore.password))
        }
        #expect(refused == .deviceNotAllowed)
        #expect(try await store.engine.status().statements == 0)
    }
}
