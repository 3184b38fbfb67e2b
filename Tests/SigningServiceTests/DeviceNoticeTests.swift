import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("What a person's devices learn of one another")
struct DeviceNoticeTests {
    @Test("Every change of a device is told to the others, with nothing to choose; the first device is told to nobody")
    func told() async throws {
        let store = try await TestStore()
        let phone = try await store.person()
        #expect(try await store.inbox().isEmpty)
        let tablet = try await store.person(device: "tablet")
        let news = try #require(try await store.inbox().first)
        let record = try await store.engine.notification(news, as: phone.session.owner)
        #expect(record.origin == .service && record.notification.content.actions.isEmpty)
        let body = try #require(record.notification.content.bodies.first)
        #expect(body.subject == "A device was added" && body.message.hasPrefix("tablet\n"))
        let refused = try await TestStore.code {
            _ = try await store.engine.answer(notification: news, as: phone.session, action: "Accept")
        }
        #expect(refused == .notificationWithoutActions, "A25")
        var filter = HistoryFilter()
        filter.device = tablet.session.device
        // Whoever adds a device of theirs must not be able to put away what is told of it.
        #expect(
            try await TestStore.code { try await store.engine.dismiss(notification: news, as: tablet.session) }
                == .scopeInsufficient)
        try await store.engine.dismiss(notification: news, as: phone.session)
        #expect(try await store.history(filter).isEmpty, "the new one knows")
        filter.device = phone.session.device
        #expect(try await store.history(filter) == [news])
        let device = try #require(tablet.session.device)
        _ = try await store.engine.block(device, of: TestStore.user("alice"))
        #expect(try await store.inbox().count == 1)
        // What the service tells does not use up what others may ask.
        for _ in 0..<100 { _ = try await store.ask() }
        #expect(try await store.inbox().count == 101)
    }

    @Test("Whoever renames on and on fills no inbox: the newest twenty wait, and what is told of other changes stays")
    func flood() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.coolingChanges, to: "0")
        let (phone, laptop) = (try await store.person(), try await store.person(device: "laptop"))
        let added = try await store.inbox()
        for number in 1...25 {
            store.clock.advance(1)
            try await store.update([.rename(laptop, "name \(number)")], laptop)
        }
        let inbox = try await store.inbox()
        #expect(inbox.count == 21 && inbox.last == added.first)
        let newest = try #require(inbox.first)
        let body = try await store.engine.notification(newest, as: phone.session.owner).notification.content.bodies
            .first
        #expect(body?.message.hasPrefix("name 25\n") == true)
    }

    @Test("Attack D2: a device on probation answers nothing, at no level; 146 says until when")
    func probation() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.probationHours, to: "12")
        let phone = try await store.person()
        let end = store.clock.now + 12 * 3_600_000
        let id = try await store.ask(TestStore.question(life: 86_400_000))
        for action in ["Accept", "Reject"] {
            let refusal = try await TestStore.refusal {
                try await store.engine.answer(notification: id, as: phone.session, action: action)
            }
            #expect(refusal == Refusal(.deviceNotAllowed, .probation(until: end)))
        }
        #expect(try await store.inbox() == [id])
        store.clock.advance(12 * 3_600_000)
        _ = try await store.choose("Reject", of: id, phone)
    }
}
