import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Signing requests to somebody whose devices are on probation")
struct RequestProbationTests {
    private static let hour: Int64 = 3_600_000

    /// What asking one person for a time leads to.
    private func refusal(
        _ store: TestStore, _ shop: ClientName, _ name: String = "alice", life: Int64
    ) async throws -> Refusal? {
        try await TestStore.refusal {
            let draft = try TestStore.request(.person(TestStore.user(name)), life: life)
            let made = try await store.engine.ask(draft, as: shop)
            try await store.engine.cancel(request: made.request.matter.id, as: shop)
        }
    }

    @Test("Attack D2: one person who cannot sign before the end is not asked: 146 with the end, and nothing is made")
    func refused() async throws {
        let store = try await TestStore()
        let shop = try await store.shop()
        let alice = try await store.person()
        _ = try await store.engine.set(.probationHours, to: "1")
        let expected = Refusal(.deviceNotAllowed, .probation(until: store.clock.now + Self.hour))
        #expect(try await refusal(store, shop, life: Self.hour) == expected)
        let (asked, told) = (try await store.engine.requests(of: shop, .first), try await store.inbox())
        #expect(asked.isEmpty && told.isEmpty)
        // One that outlives the probation by a millisecond can be answered in it.
        #expect(try await refusal(store, shop, life: Self.hour + 1) == nil)
        store.clock.advance(1)
        #expect(try await refusal(store, shop, life: Self.hour) == nil)
        // As the person's device is told where it answers before that.
        let made = try await store.engine.ask(TestStore.request(life: Self.hour), as: shop).request.matter.id
        #expect(try await TestStore.refusal { try await store.accept(made, alice) } == expected)
        store.clock.advance(Self.hour - 1)
        try await store.accept(made, alice)
    }

    @Test("Attack D2: one device that may sign is enough; blocked and deleted ones are none")
    func several() async throws {
        let store = try await TestStore()
        let shop = try await store.shop()
        let old = try await store.person(device: "old")
        store.clock.advance(Self.hour)
        _ = try await store.engine.set(.probationHours, to: "1")
        _ = try await store.person(device: "young")
        #expect(try await refusal(store, shop, life: 300_000) == nil)
        try await store.engine.block(#require(old.session.device), of: TestStore.user("alice"))
        let expected = Refusal(.deviceNotAllowed, .probation(until: store.clock.now + Self.hour))
        #expect(try await refusal(store, shop, life: 300_000) == expected)
        store.clock.advance(1000)
        _ = try await store.person(device: "younger")
        #expect(try await refusal(store, shop, life: 300_000) == expected, "the first end of all")
    }

    @Test("attack S10: who does not exist, is locked, or has no device is asked as ever; so are several persons")
    func asEver() async throws {
        let store = try await TestStore()
        let shop = try await store.shop()
        _ = try await store.people(["alice", "bob"])
        try await store.engine.addUser(TestStore.user("carol"), password: nil)
        _ = try await store.engine.set(.probationHours, to: "1")
        _ = try await store.engine.lock(TestStore.user("bob"))
        for name in ["nobody", "bob", "carol"] {
            #expect(try await refusal(store, shop, name, life: 300_000) == nil)
        }
        let both = try [TestStore.user("alice"), TestStore.user("bob")]
        _ = try await store.engine.ask(TestStore.request(.several(both, required: 1)), as: shop)
        _ = try await store.engine.unlock(TestStore.user("bob"))
        #expect(try await refusal(store, shop, "bob", life: 300_000)?.code == .deviceNotAllowed)
    }
}
