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
        var (changes, mark) = try await store.engine.news(as: alice.session, since: nil)
        #expect(changes.map(\.id).contains(waiting) && changes.allSatisfy { $0.status == .pending })
        // The clock stands still.
        let second = try await store.ask()
        (changes, mark) = try await store.engine.news(as: alice.session, since: mark)
        #expect(changes.map(\.id) == [second])
        try await store.engine.withdraw(notification: second, as: operatorSession)
        (changes, mark) = try await store.engine.news(as: alice.session, since: mark)
        #expect(changes.map(\.status) == [.discarded])
        store.clock.advance(5)
        try await store.engine.withdraw(notification: waiting, as: operatorSession)
        (changes, mark) = try await store.engine.news(as: alice.session, since: mark)
        #expect(changes.map(\.id) == [waiting])
        (changes, mark) = try await store.engine.news(as: alice.session, since: mark)
        #expect(changes.isEmpty)
    }

    @Test("A clock that is set back a little hides nothing: a mark is of what is recorded")
    func clockBack() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        store.clock.advance(30_000)
        let (_, mark) = try await store.engine.news(as: alice.session, since: nil)
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
