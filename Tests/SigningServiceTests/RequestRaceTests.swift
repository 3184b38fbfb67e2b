import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Signing requests in races")
struct RequestRaceTests {
    private func code(_ body: () async throws -> Void) async throws -> Refusal.Code? { try await TestStore.code(body) }

    @Test("attack S7, N1: cancelled while the password is being looked at: nothing is signed, no attempt is lost")
    func cancelledMeanwhile() async throws {
        let store = try await TestStore()
        let (alice, shop) = (try await store.person(), try await store.shop())
        let id = try await store.engine.ask(TestStore.request(), as: shop).request.matter.id
        let question = try await store.question(of: id).notification.id
        let signing = try #require(
            try await store.engine.answer(notification: question, as: alice.session, action: "Accept").signing)
        let (engine, database) = try await store.interruptedAttempt(.stepUp) {
            try await store.engine.cancel(request: id, as: shop)
        }
        let refused = try await code { _ = try await store.answer(signing.id, alice.session, engine: engine) }
        #expect(refused == .notificationProcessed)
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.engine.request(id, as: shop).request.state == .cancelled(at: store.clock.now))
        #expect(try await store.start(alice.session).attemptsLeft == 3)
        await database.close()
    }

    @Test("N1: the last signature that is needed arrives while another is being looked at: that one is not signed")
    func lastMeanwhile() async throws {
        let store = try await TestStore()
        let people = try await store.people(["alice", "bob"])
        let (alice, bob) = (try #require(people["alice"]), try #require(people["bob"]))
        let shop = try await store.shop()
        let users = try ["alice", "bob"].map { try TestStore.user($0) }
        let id = try await store.engine.ask(TestStore.request(.several(users, required: 1)), as: shop).request.matter.id
        let question = try await store.question(of: id).notification.id
        let signing = try #require(
            try await store.engine.answer(notification: question, as: alice.session, action: "Accept").signing)
        let (engine, database) = try await store.interruptedAttempt(.stepUp) {
            try await store.accept(id, bob, "bob")
        }
        let refused = try await code { _ = try await store.answer(signing.id, alice.session, engine: engine) }
        #expect(refused == .notificationProcessed)
        #expect(try await store.engine.status().statements == 1)
        #expect(try await store.engine.request(id, as: shop).request.signed == 1)
        await database.close()
    }

    @Test(
        "N1: five answer and one cancels, all at once on two engines, again and again: one end, and as many statements")
    func allAtOnce() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let names = ["alice", "bob", "carol", "dave", "erin"]
        let people = try await store.people(names)
        let shop = try await store.shop()
        let users = try names.map { try TestStore.user($0) }
        var statements = 0
        for round in 0..<20 {
            let id = try await store.engine.ask(TestStore.request(.several(users, required: 3)), as: shop)
                .request.matter.id
            let isCancelled = round.isMultiple(of: 4)
            let refusals = try await race(6) { index in
                let engine = index.isMultiple(of: 2) ? store.engine : other
                return try await TestStore.code {
                    guard index < 5 else {
                        if isCancelled { try await other.cancel(request: id, as: shop) }
                        return
                    }
                    let (name, person) = (names[index], try #require(people[names[index]]))
                    // Whoever comes too late finds no question.
                    let all = try await engine.notifications(
                        of: TestStore.user(name), Period(), RecordRange(startIndex: 1, count: 0))
                    guard let question = all.first(where: { $0.notification.matter.id == id })?.notification.id else {
                        throw Refusal(.notificationProcessed)
                    }
                    let declines = index == round % 5
                    let answered = try await engine.answer(
                        notification: question, as: person.session, action: declines ? "Reject" : "Accept")
                    guard let signing = answered.signing else { return }
                    _ = try await store.answer(signing.id, person.session, engine: engine)
                }
            }
            #expect(
                refusals.allSatisfy {
                    [nil, .notificationProcessed, .requestOver, .cancelled].contains($0)
                }, "\(refusals)")
            let record = try await store.engine.request(id, as: shop)
            switch record.request.state {
            case .done: #expect(record.request.signed == 3)
            case .cancelled: #expect(isCancelled && record.request.signed < 3)
            default: Issue.record("\(record.request.state)")
            }
            statements += record.request.signed
            #expect(!record.request.persons.values.contains(.waiting))
        }
        #expect(try await store.engine.status().statements == statements, "nothing is signed beside a request")
        #expect(try await store.engine.status().openCeremonies == 0)
        await other.close()
    }

    @Test("R1: stopped between the answer and the signature, it goes on after a restart, and ends once")
    func stopBetween() async throws {
        let store = try await TestStore()
        let (alice, shop) = (try await store.person(), try await store.shop())
        let id = try await store.engine.ask(TestStore.request(), as: shop).request.matter.id
        let question = try await store.question(of: id).notification.id
        let signing = try #require(
            try await store.engine.answer(notification: question, as: alice.session, action: "Accept").signing)
        let restarted = try await store.another()
        #expect(try await restarted.request(id, as: shop).request.state == .pending)
        #expect(try await store.answer(signing.id, alice.session, engine: restarted).state == .signed)
        #expect(try await restarted.request(id, as: shop).request.signed == 1)
        #expect(try await restarted.status().statements == 1)
        await restarted.close()
    }
}
