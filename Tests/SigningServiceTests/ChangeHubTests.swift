import CountersignVerifier
import Sessions
import Signing
import SigningService
import Synchronization
import Testing

/// Who waits for a change is woken once it is committed, and nobody waits for ever.
struct ChangeHubTests {
    private let limits = ChangeHub.Limits(inAll: 8, perTopic: 4)

    @Test("A change between the reading and the waiting is not missed, and several are one wake")
    func changeBefore() async throws {
        let store = try await TestStore()
        let watch = try store.engine.changes.watch(.person(TestStore.user("alice")), limits)
        _ = try await store.ask()
        _ = try await store.ask()
        #expect(await watch.next(within: 60_000) == .changed)
        #expect(await watch.next(within: 0) == .timeOver)
    }

    @Test(
        "Making, answering, withdrawing, dismissing and expiring a notification wake those who watch its person, and nobody else"
    )
    func notifications() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let watch = try store.engine.changes.watch(.person(TestStore.user("alice")), limits)
        let other = try store.engine.changes.watch(.person(TestStore.user("bob")), limits)
        func isWoken() async -> Bool { await watch.next(within: 0) == .changed }

        let answered = try await store.ask()
        #expect(await isWoken())
        try await store.choose("Reject", of: answered, alice)
        #expect(await isWoken())
        let withdrawn = try await store.ask()
        #expect(await isWoken())
        try await store.engine.withdraw(notification: withdrawn, as: store.logInOperator().session)
        #expect(await isWoken())
        let dismissed = try await store.ask()
        #expect(await isWoken())
        try await store.engine.dismiss(notification: dismissed, as: alice.session)
        #expect(await isWoken())
        #expect(await !isWoken())
        #expect(await other.next(within: 0) == .timeOver)
    }

    @Test("attack D4: the end of a session, a blocked device and a locked user wake those who watch the person")
    func sessions() async throws {
        let store = try await TestStore()
        let user = try TestStore.user("alice")
        let (one, two) = (try await store.person(), try await store.person(device: "tablet"))
        let watch = try store.engine.changes.watch(.person(user), limits)
        try await store.engine.endSession(one.session.id, of: .person(user))
        #expect(await watch.next(within: 0) == .changed)
        try await store.engine.checkAlive(two.session)
        let device = try #require(two.session.device)
        _ = try await store.engine.block(device, of: user)
        #expect(await watch.next(within: 0) == .changed)
        #expect(try await TestStore.code { try await store.engine.checkAlive(two.session) } == .tokenInvalid)
        _ = try await store.engine.lock(user)
        #expect(await watch.next(within: 0) == .changed)
    }

    @Test("What is not committed wakes nobody")
    func refused() async throws {
        let store = try await TestStore()
        let id = try await store.ask()
        let bank = try await store.service("bank").grant.session
        let watch = try store.engine.changes.watch(.person(TestStore.user("alice")), limits)
        #expect(
            try await TestStore.code { try await store.engine.withdraw(notification: id, as: bank) }
                == .notificationUnknown)
        #expect(await watch.next(within: 0) == .timeOver)
    }

    @Test("A wait ends when its time is over by the clock; a clock that was set back neither ends it nor prolongs it")
    func time() async throws {
        let store = try await TestStore()
        let hub = store.engine.changes
        let watch = try hub.watch(.person(TestStore.user("alice")), limits)
        async let wake = watch.next(within: 10_000)
        while hub.waiting == 0 { await Task.yield() }
        store.clock.advance(9_999)
        await store.looks(3)
        store.clock.advance(-3_600_000)
        await store.looks(3)
        #expect(hub.waiting == 1)
        store.clock.advance(1)
        #expect(await wake == .timeOver)
    }

    @Test("A wait that begins between two looks at the time ends no sooner for that")
    func betweenLooks() async throws {
        let store = try await TestStore()
        let (looks, look) = AsyncStream<Void>.makeStream()
        let engine = try await SigningEngine.open(
            StoreDirectory(existing: store.path), database: store.database(), hasher: store.hasher,
            clock: EngineClock(now: { [store] in store.clock.now }) { _ in
                var next = looks.makeAsyncIterator()
                _ = await next.next()
            })
        let hub = engine.changes
        let (first, second) = (
            try hub.watch(.person(TestStore.user("alice")), limits),
            try hub.watch(.person(TestStore.user("bob")), limits)
        )
        async let early = first.next(within: 1_000)
        while hub.waiting == 0 { await Task.yield() }
        store.clock.advance(900)
        async let late = second.next(within: 1_000)
        while hub.waiting == 1 { await Task.yield() }
        store.clock.advance(100)
        look.yield()
        #expect(await early == .timeOver)
        #expect(hub.waiting == 1)
        store.clock.advance(900)
        look.yield()
        #expect(await late == .timeOver)
        look.finish()
        await engine.close()
    }

    @Test("What another process commits is told to those who watch its person, once somebody looks")
    func others() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let user = try TestStore.user("alice")
        let place = try await store.engine.tellOfOthers(since: nil)
        let watch = try store.engine.changes.watch(.person(user), limits)
        _ = try await other.notify(user, TestStore.question(), as: .operator)
        #expect(await watch.next(within: 0) == .timeOver)
        let next = try await store.engine.tellOfOthers(since: place)
        #expect(next > place)
        #expect(await watch.next(within: 0) == .changed)
        #expect(try await store.engine.tellOfOthers(since: next) == next)
        #expect(await watch.next(within: 0) == .timeOver)
        await other.close()
    }

    @Test("A cancelled task, an ended watch and a stop end the wait; after a stop nobody waits any more")
    func ends() async throws {
        let store = try await TestStore()
        let hub = store.engine.changes
        let topic = Topic.person(try TestStore.user("alice"))
        let watch = try hub.watch(topic, limits)
        let task = Task { await watch.next(within: .max) }
        task.cancel()
        #expect(await task.value == .ended)

        let second = try hub.watch(topic, limits)
        async let end = second.next(within: .max)
        while hub.waiting == 0 { await Task.yield() }
        second.end()
        #expect(await end == .ended)

        let third = try hub.watch(topic, limits)
        async let stop = third.next(within: .max)
        while hub.waiting == 0 { await Task.yield() }
        hub.stop()
        #expect(await stop == .ended)
        #expect(try await hub.watch(topic, limits).next(within: .max) == .ended)
    }

    @Test("attack A4: so many watch in all and the same, and a place is given back with its watch")
    func limited() async throws {
        let store = try await TestStore()
        let hub = store.engine.changes
        let (alice, bob) = (Topic.person(try TestStore.user("alice")), Topic.person(try TestStore.user("bob")))
        let limits = ChangeHub.Limits(inAll: 3, perTopic: 2)
        do {
            let held = [try hub.watch(alice, limits), try hub.watch(alice, limits)]
            #expect(throws: ChangeHub.Full.topic) { try hub.watch(alice, limits) }
            let third = try hub.watch(bob, limits)
            #expect(throws: ChangeHub.Full.inAll) { try hub.watch(bob, limits) }
            #expect(hub.count == 3 && hub.isWatched(bob))
            withExtendedLifetime((held, third)) {}
        }
        #expect(hub.count == 0 && !hub.isWatched(alice))
    }
}

extension TestStore {
    /// Lets somebody look at the time so often.
    fileprivate func looks(_ count: Int) async {
        let end = clock.sleeps.load(ordering: .relaxed) + count
        while clock.sleeps.load(ordering: .relaxed) < end { await Task.yield() }
    }
}
