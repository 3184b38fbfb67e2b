import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Testing

/// What became of a person's notifications since somebody was told.
struct NewsTests {
    @Test("Each change is told once, also several of one millisecond, in the order in which they happened")
    func once() async throws {
        let store = try await TestStore()
        let (alice, operatorSession) = (try await store.person(), try await store.logInOperator().session)
        let waiting = try await store.ask()
        var news = try await store.engine.news(as: alice.session, since: nil)
        #expect(news.changes.map(\.id).contains(waiting) && news.changes.allSatisfy { $0.status == .pending })
        // The clock stands still.
        let second = try await store.ask()
        news = try await store.engine.news(as: alice.session, since: news.mark)
        #expect(news.changes.map(\.id) == [second])
        try await store.engine.withdraw(notification: second, as: operatorSession)
        news = try await store.engine.news(as: alice.session, since: news.mark)
        #expect(news.changes.map(\.status) == [.discarded])
        store.clock.advance(5)
        try await store.engine.withdraw(notification: waiting, as: operatorSession)
        news = try await store.engine.news(as: alice.session, since: news.mark)
        #expect(news.changes.map(\.id) == [waiting])
        news = try await store.engine.news(as: alice.session, since: news.mark)
        #expect(news.changes.isEmpty)
    }

    @Test("H11: what nobody answered is told when its time comes, once, before what happened later, whoever closed it")
    func expiry() async throws {
        let store = try await TestStore()
        let (alice, operatorSession) = (try await store.person(), try await store.logInOperator().session)
        let short = try await store.ask(TestStore.question(life: 10_000))
        let long = try await store.ask(TestStore.question(life: 20_000))
        let end = store.clock.now + 10_000
        var news = try await store.engine.news(as: alice.session, since: nil)
        #expect(news.changes.count(where: { $0.status == .pending }) == news.changes.count)
        #expect(news.nextEnd == end)
        store.clock.advance(9_999)
        news = try await store.engine.news(as: alice.session, since: news.mark)
        #expect(news.changes.isEmpty && news.nextEnd == end)
        // Something else ends later and is recorded first.
        store.clock.advance(100)
        try await store.engine.withdraw(notification: long, as: operatorSession)
        #expect(try await !store.events().contains("notification-expired"))
        news = try await store.engine.news(as: alice.session, since: news.mark)
        #expect(news.changes.map(\.id) == [short, long] && news.changes.map(\.status) == [.expired, .discarded])
        #expect(news.changes.map(\.at) == [end, end + 99])
        #expect(try await store.events().count(where: { $0 == "notification-expired" }) == 1)
        news = try await store.engine.news(as: alice.session, since: news.mark)
        #expect(news.changes.isEmpty)
        // Whoever begins now is told of neither.
        #expect(try await !store.engine.news(as: alice.session, since: nil).changes.map(\.id).contains(short))
    }

    @Test("A clock that is set back after an end was told neither tells it again nor hides it")
    func expiryBack() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask(TestStore.question(life: 10_000))
        let begin = try await store.engine.news(as: alice.session, since: nil).mark
        store.clock.advance(10_000)
        let news = try await store.engine.news(as: alice.session, since: begin)
        #expect(news.changes.map(\.status) == [.expired])
        store.clock.advance(-5_000)
        #expect(try await store.engine.news(as: alice.session, since: news.mark).changes.isEmpty)
        #expect(try await store.engine.news(as: alice.session, since: begin).changes.map(\.id) == [id])
    }

    @Test("A clock that is set back a little hides nothing: a mark is of what is recorded")
    func clockBack() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        store.clock.advance(30_000)
        let mark = try await store.engine.news(as: alice.session, since: nil).mark
        store.clock.advance(-20_000)
        let id = try await store.ask()
        #expect(try await store.engine.news(as: alice.session, since: mark).changes.map(\.id) == [id])
    }

    @Test("attack D4: a session that has ended learns nothing; attack N4: nobody learns of another's")
    func strangers() async throws {
        let store = try await TestStore()
        try await store.engine.addUser(TestStore.user("bob"), password: TestStore.secret(TestStore.password))
        let (alice, bob) = (try await store.person(), try await store.person("bob"))
        let id = try await store.ask()
        #expect(try await !store.engine.news(as: bob.session, since: NewsMark(at: 0)).changes.map(\.id).contains(id))
        try await store.engine.endSession(alice.session.id, of: nil)
        #expect(
            try await TestStore.code { _ = try await store.engine.news(as: alice.session, since: nil) } == .tokenInvalid
        )
    }
}
