import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Signing requests")
struct RequestTests {
    private func code(_ body: () async throws -> Void) async throws -> Refusal.Code? { try await TestStore.code(body) }

    private func state(_ store: TestStore, _ id: UUIDText, _ shop: ClientName) async throws -> PersonsRequest.State {
        try await store.engine.request(id, as: shop).request.state
    }

    @Test("S16, attack S7: what is asked is what the person sees and what is signed, for whoever asked")
    func signed() async throws {
        let store = try await TestStore()
        let (alice, shop) = (try await store.person(), try await store.shop())
        let made = try await store.engine.ask(TestStore.request(), as: shop)
        let id = made.request.matter.id
        #expect(made.matchCode == nil)
        #expect(made.request.expiresAt - made.request.createdAt == 300_000, "O18")
        let question = try await store.question(of: id).notification
        #expect(question.matter == .request(made.request.matter) && question.match == nil)
        #expect(question.content.actions.map(\.name) == ["Accept", "Reject"], "O17")
        #expect(try await state(store, id, shop) == .pending)
        let result = try await store.accept(id, alice)
        let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
        #expect(claims.payload == "Pay 5.00 EUR to Bob" && claims.reason == "Invoice 17")
        #expect(claims.audience == "shop" && claims.reserved[.request] == id.text && claims.reserved.quorum == nil)
        #expect(claims.device == alice.session.device && claims.level == .one)
        let record = try await store.engine.request(id, as: shop)
        #expect(record.request.state == .done(at: store.clock.now))
        guard case .statement(let kept)? = record.outcome else {
            Issue.record("no statement")
            return
        }
        #expect(kept.statement == result.statement)
        guard case .updated(let answer) = try await store.state(question.id) else {
            Issue.record("not answered")
            return
        }
        #expect(answer.signature == claims.id)
        #expect(try await store.events().suffix(3).contains("request-done"))
        #expect(try await code { try await store.engine.cancel(request: id, as: shop) } == .requestOver)
    }

    @Test("attack D6: the code is shown to whoever asked and to nobody else; three wrong ones decline the request")
    func matchCode() async throws {
        let store = try await TestStore()
        let (alice, shop) = (try await store.person(), try await store.shop())
        let made = try await store.engine.ask(TestStore.request(match: nil), as: shop)
        let matchCode = try #require(made.matchCode).text
        let id = try await store.question(of: made.request.matter.id).notification.id
        func choose(_ brought: String?) async throws -> Refusal? {
            try await TestStore.refusal {
                _ = try await store.engine.answer(
                    notification: id, as: alice.session, NotificationChoice(action: "Accept", matchCode: brought))
            }
        }
        let wrong = matchCode == "00" ? "01" : "00"
        #expect(try await choose(nil) == Refusal(.matchCodeWrong, .codesLeft(3)))
        #expect(try await choose(wrong) == Refusal(.matchCodeWrong, .codesLeft(2)))
        #expect(try await choose(wrong) == Refusal(.matchCodeWrong, .codesLeft(1)))
        #expect(try await choose(matchCode) == nil, "two wrong ones are not the end")
        try await store.engine.reset(Asker(session: alice.session.id, device: alice.session.device))
        #expect(try await choose(wrong) == Refusal(.matchCodeWrong, .codesLeft(0)))
        #expect(try await choose(matchCode) == Refusal(.notificationProcessed))
        #expect(try await store.state(id).status == .discarded)
        #expect(try await state(store, made.request.matter.id, shop) == .declined(at: store.clock.now))
        #expect(try await store.engine.status().statements == 0)
        _ = try await store.engine.set(.matchCode, to: "offered")
        let offered = try await store.engine.ask(TestStore.request(match: nil), as: shop)
        let question = try await store.question(of: offered.request.matter.id).notification
        #expect(question.match?.mode == .offered && question.match?.code == offered.matchCode)
    }

    @Test("attack D6: the third wrong code ends a signing that had begun with the right one")
    func mismatchEndsSigning() async throws {
        let store = try await TestStore()
        let (phone, tablet) = (try await store.person(), try await store.person(device: "tablet"))
        let made = try await store.engine.ask(TestStore.request(match: .required), as: store.shop())
        let right = try #require(made.matchCode).text
        let id = try await store.question(of: made.request.matter.id).notification.id
        let begun = try await store.engine.answer(
            notification: id, as: phone.session, NotificationChoice(action: "Accept", matchCode: right))
        for _ in 0..<3 {
            #expect(
                try await code {
                    _ = try await store.engine.answer(
                        notification: id, as: tablet.session, NotificationChoice(action: "Accept", matchCode: "x"))
                } == .matchCodeWrong)
        }
        let signing = try #require(begun.signing)
        #expect(try await code { _ = try await store.answer(signing.id, phone.session) } == .notificationProcessed)
        #expect(try await store.engine.status().statements == 0)
    }

    @Test("S06, O10: at level 0 accepting is signing, where the store allows it")
    func levelZero() async throws {
        let store = try await TestStore()
        let (alice, shop) = (try await store.person(), try await store.shop())
        #expect(
            try await code { _ = try await store.engine.ask(TestStore.request(level: 0), as: shop) }
                == .methodNotSupported)
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let id = try await store.engine.ask(TestStore.request(level: 0), as: shop).request.matter.id
        let question = try await store.question(of: id).notification.id
        let answered = try await store.engine.answer(notification: question, as: alice.session, action: "Accept")
        let result = try #require(answered.signing?.result)
        let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
        #expect(claims.level == .none && claims.reserved[.request] == id.text && claims.audience == "shop")
        #expect(try await state(store, id, shop) == .done(at: store.clock.now))
        #expect(
            try await code {
                _ = try await store.engine.answer(notification: question, as: alice.session, action: "Accept")
            } == .notificationProcessed)
        #expect(try await store.engine.status().statements == 1)
    }

    @Test("RFC 9470: who logged in too long ago logs in again before they accept", arguments: [0, 1])
    func stepUp(level: Int) async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let (alice, shop) = (try await store.person(), try await store.shop())
        store.clock.advance(12 * 3_600_000 + 1)
        let id = try await store.engine.ask(TestStore.request(level: level), as: shop).request.matter.id
        let question = try await store.question(of: id).notification.id
        let refusal = try await TestStore.refusal {
            try await store.engine.answer(notification: question, as: alice.session, action: "Accept")
        }
        #expect(refusal == Refusal(.stepUpNeeded, .maxAge(seconds: 43_200)))
        #expect(try await store.engine.status().statements == 0)
        let again = try await store.logIn(alice.key)
        let answered = try await store.engine.answer(notification: question, as: again.session, action: "Accept")
        #expect((answered.signing?.result != nil) == (level == 0))
    }

    @Test("attack S10: who does not exist and who is locked are asked like anybody, and nobody hears of it")
    func unknown() async throws {
        let store = try await TestStore()
        let shop = try await store.shop()
        try await store.engine.addUser(TestStore.user("bob"), password: nil)
        _ = try await store.engine.lock(TestStore.user("bob"))
        for name in ["bob", "nobody"] {
            let draft = try TestStore.request(.person(TestStore.user(name)), match: .required)
            let made = try await store.engine.ask(draft, as: shop)
            #expect(made.matchCode != nil && made.request.state == .pending)
            let user = try TestStore.user(name)
            #expect(
                try await store.engine.notifications(of: user, Period(), RecordRange(startIndex: 1, count: 0)).isEmpty)
            for _ in 0..<2 { _ = try await store.engine.ask(draft, as: shop) }
            #expect(try await code { _ = try await store.engine.ask(draft, as: shop) } == .tooManyOpen)
            store.clock.advance(300_000)
            #expect(
                try await state(store, made.request.matter.id, shop) == .expired(at: made.request.expiresAt))
        }
    }

    @Test("attack D6: five may wait for one person, three of one service; what is over makes room")
    func limits() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let (shop, bank) = (try await store.shop(), try await store.shop("bank"))
        var ids: [UUIDText] = []
        for _ in 0..<3 { ids.append(try await store.engine.ask(TestStore.request(), as: shop).request.matter.id) }
        func refusal(_ client: ClientName) async throws -> Refusal? {
            try await TestStore.refusal { _ = try await store.engine.ask(TestStore.request(), as: client) }
        }
        #expect(try await refusal(shop) == Refusal(.tooManyOpen, .limit(3)))
        #expect(try await refusal(bank) == nil)
        #expect(try await refusal(bank) == nil)
        #expect(try await refusal(bank) == Refusal(.tooManyOpen, .limit(5)))
        try await store.decline(ids[0], alice)
        #expect(try await refusal(bank) == nil, "declined")
        #expect(try await refusal(shop) == Refusal(.tooManyOpen, .limit(5)))
        try await store.engine.cancel(request: ids[1], as: shop)
        try await store.engine.cancel(request: ids[1], as: shop)
        #expect(try await refusal(shop) == nil, "cancelled")
        store.clock.advance(300_000)
        for client in [shop, shop, shop, bank, bank] { #expect(try await refusal(client) == nil, "expired") }
        _ = try await store.engine.set(.openRequests, to: "6")
        #expect(try await refusal(bank) == nil)
        let messages = try await store.inbox().count
        #expect(messages == 6)
        _ = try await store.ask()
    }

    @Test("Cancelled, declined, dismissed and expired: the question is gone, nothing is signed any more")
    func ends() async throws {
        let store = try await TestStore()
        let (alice, shop) = (try await store.person(), try await store.shop())
        func begin() async throws -> (UUIDText, UUIDText, UUIDText) {
            let id = try await store.engine.ask(TestStore.request(), as: shop).request.matter.id
            let question = try await store.question(of: id).notification.id
            let signing = try await store.engine.answer(notification: question, as: alice.session, action: "Accept")
            return (id, question, try #require(signing.signing).id)
        }
        let ends: [(Refusal.Code, Notifications.Notification.Status, (UUIDText, UUIDText) async throws -> Void)] = [
            (.notificationProcessed, .discarded, { id, _ in try await store.engine.cancel(request: id, as: shop) }),
            (
                .notificationProcessed, .updated,
                { _, question in
                    _ = try await store.engine.answer(notification: question, as: alice.session, action: "Reject")
                }
            ),
            (
                .notificationProcessed, .dismissed,
                { _, question in try await store.engine.dismiss(notification: question, as: alice.session) }
            ),
            (.notificationExpired, .expired, { _, _ in store.clock.advance(300_000) }),
        ]
        var states: [PersonsRequest.State] = []
        for (refusal, status, end) in ends {
            let (id, question, signing) = try await begin()
            try await end(id, question)
            let found = try await code { _ = try await store.answer(signing, alice.session) }
            #expect(found == refusal || found == .challengeExpired && status == .expired)
            #expect(try await store.state(question).status == status)
            states.append(try await state(store, id, shop))
            try await store.engine.reset(Asker(session: alice.session.id, device: alice.session.device))
        }
        guard case .cancelled = states[0], case .declined = states[1], case .declined = states[2],
            case .expired = states[3]
        else {
            Issue.record("\(states)")
            return
        }
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.history().count == 4, "H: all of it is in the history")
    }

    @Test("N4: what another service asked is as if it were not there; lists have one's own, newest first")
    func others() async throws {
        let store = try await TestStore()
        let session = try await store.service().grant.session
        let (shop, bank) = (try #require(ClientName("shop")), try await store.shop("bank"))
        _ = try await store.person()
        var ids: [UUIDText] = []
        for _ in 0..<3 {
            ids.append(try await store.engine.ask(TestStore.request(), as: shop).request.matter.id)
            store.clock.advance(1)
        }
        #expect(try await code { _ = try await store.engine.request(ids[0], as: bank) } == .requestUnknown)
        #expect(try await code { try await store.engine.cancel(request: ids[0], as: bank) } == .requestUnknown)
        let page = try #require(Page(startIndex: 2, count: 5))
        #expect(try await store.engine.requests(of: shop, page).map(\.request.matter.id) == [ids[1], ids[0]])
        #expect(try await store.engine.requests(of: bank, .first).isEmpty)
        let question = try await store.question(of: ids[0]).notification.id
        let withdrawn = try await code {
            try await store.engine.withdraw(notification: question, as: session)
        }
        #expect(withdrawn == .scopeInsufficient, "a request is cancelled, not the question to one of its persons")
    }

    @Test("S08, S24: what cannot be asked is refused, and leaves nothing")
    func terms() async throws {
        let store = try await TestStore()
        let shop = try await store.shop()
        for life in [9_999, 86_400_001, -1, Int64.max] as [Int64] {
            #expect(
                try await code { _ = try await store.engine.ask(TestStore.request(life: life), as: shop) }
                    == .requestTermsMalformed)
        }
        #expect(
            try await code { _ = try await store.engine.ask(TestStore.request(payload: ""), as: shop) }
                == .payloadEmpty)
        #expect(
            try await code { _ = try await store.engine.ask(TestStore.request(level: 2), as: shop) }
                == .methodNotSupported)
        let group = try #require(GroupName("board"))
        #expect(
            try await code {
                _ = try await store.engine.ask(TestStore.request(.group(group, required: 1)), as: shop)
            } == .groupUnknown)
        #expect(try await store.engine.requests(of: shop, .first).isEmpty, "what is refused leaves nothing")
    }
}
