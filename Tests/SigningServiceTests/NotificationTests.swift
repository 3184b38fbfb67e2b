import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Notifications")
struct NotificationTests {
    private func code(_ body: () async throws -> Void) async throws -> Refusal.Code? { try await TestStore.code(body) }

    @Test("H12, O36: an action of level 0 counts at once, and signs nothing")
    func levelZero() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask()
        #expect(try await store.inbox() == [id])
        store.clock.advance(1_500)
        let answered = try await store.engine.answer(notification: id, as: alice.session, action: "Reject")
        #expect(answered.signing == nil && answered.record.signing == nil)
        let device = try #require(alice.session.device)
        #expect(
            try await store.state(id)
                == .updated(.init(action: "Reject", device: device, at: store.clock.now, signature: nil)))
        #expect(try await store.inbox().isEmpty)
        #expect(try await store.history() == [id])
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.events().suffix(2) == ["notification-made", "notification-answered"])
    }

    @Test("N6, S16: an action with a level is signed: the answer and its statement are one, for whoever asked")
    func signed() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let shop = try await store.service().grant.session.owner
        let id = try await store.ask(as: shop)
        let answered = try await store.engine.answer(notification: id, as: alice.session, action: "Accept")
        let signing = try #require(answered.signing)
        #expect(signing.payload == "Answer: Accept\nSubject: Transfer\n\nPay 5.00 EUR to Bob?")
        #expect(signing.reason == "Answer: Approve")
        #expect(try await store.state(id) == .pending, "nothing counts before the password")
        let result = try #require(try await store.answer(signing.id, alice.session).result)
        let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
        #expect(claims.reserved[.notification] == id.text)
        #expect(claims.audience == "shop" && claims.payload == signing.payload && claims.methods == [.pwd])
        #expect(claims.device == alice.session.device)
        let record = try await store.engine.notification(id, as: shop)
        #expect(record.signing == .signed)
        guard case .updated(let answer) = record.notification.state else {
            Issue.record("not answered")
            return
        }
        #expect(answer.action == "Accept" && answer.signature == claims.id && answer.device == alice.session.device)
        #expect(try await store.engine.statement(claims.id, as: shop).text == result.statement)
        let verifier = StatementVerifier(trust: try await store.engine.trust(), policy: Policy.anyAudience)
        guard case .valid = verifier.verify(Array(result.statement.utf8), at: store.clock.now / 1000) else {
            Issue.record("not valid")
            return
        }
    }

    @Test("A22: what is signed is what was read, in the language in which it was read")
    func language() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let labels = ["Accept": "Ja"]
        let content = try NotificationContent(
            bodies: [
                NotificationBody(language: "en", subject: "Pay", message: "5 EUR", labels: ["Accept": "Yes"]),
                NotificationBody(language: "de", subject: "Zahlen", message: "5 Euro", labels: labels),
            ], actions: [NotificationAction(name: "Accept", level: 1)])
        let id = try await store.ask(NotificationDraft(content: content))
        #expect(
            try await code {
                _ = try await store.engine.answer(
                    notification: id, as: alice.session, action: "Accept", language: "fr")
            } == .memberValue)
        let answered = try await store.engine.answer(
            notification: id, as: alice.session, action: "Accept", language: "de")
        #expect(answered.signing?.payload == "Answer: Accept\nSubject: Zahlen\n\n5 Euro")
        #expect(answered.signing?.reason == "Answer: Ja")
    }

    @Test(
        "N2: an answer one millisecond before the end counts; at the end and after it none does, whatever it was begun")
    func end() async throws {
        for (offset, counts) in [(-1, true), (0, false), (1, false)] as [(Int64, Bool)] {
            let store = try await TestStore()
            let alice = try await store.person()
            let plain = try await store.ask(TestStore.question(level: 0, life: 60_000))
            let begun = try await store.ask(TestStore.question(life: 60_000))
            let signing = try #require(
                try await store.engine.answer(notification: begun, as: alice.session, action: "Accept").signing)
            let end = try await store.engine.notification(plain, as: .operator).notification.expiresAt
            store.clock.advance(end - store.clock.now + offset)
            let expected: Refusal.Code? = counts ? nil : .notificationExpired
            #expect(
                try await code {
                    _ = try await store.engine.answer(notification: plain, as: alice.session, action: "Accept")
                } == expected)
            #expect(try await code { _ = try await store.answer(signing.id, alice.session) } == expected)
            #expect(try await store.engine.status().statements == (counts ? 1 : 0))
            for id in [plain, begun] {
                #expect(try await store.state(id).status == (counts ? .updated : .expired))
                #expect(try await store.state(id).changedAt == (counts ? end - 1 : end))
            }
            #expect(try await store.inbox().isEmpty)
            #expect(Set(try await store.history()) == [plain, begun])
            // A late answer is known as late for ever, and the session is free.
            #expect(
                try await code { _ = try await store.answer(signing.id, alice.session) }
                    == (counts ? .ceremonyAnswered : .notificationExpired))
            _ = try await store.start(alice.session)
            #expect(try await store.loginLedger().wrong == 0)
        }
    }

    @Test("N3, O26: what is not offered is refused, and it still waits")
    func notOffered() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask()
        for action in ["", "accept", "ACCEPT", "Accept ", "NONE", "Approve", "Accept\u{0}", "\u{410}ccept"] {
            #expect(
                try await code {
                    _ = try await store.engine.answer(notification: id, as: alice.session, action: action)
                } == .actionNotOffered)
        }
        #expect(try await store.inbox() == [id])
        let text = try NotificationBody(language: "en", subject: "News", message: "Read me", labels: [:])
        let news = try await store.ask(
            NotificationDraft(content: NotificationContent(bodies: [text], actions: [])))
        #expect(
            try await code {
                _ = try await store.engine.answer(notification: news, as: alice.session, action: "Accept")
            } == .notificationWithoutActions, "A25")
        #expect(try await store.inbox().count == 2)
    }

    @Test("N4, A1: what is another's is as if it were not there, for every operation")
    func foreign() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        try await store.engine.addUser(TestStore.user("bob"), password: TestStore.secret(TestStore.password))
        let bob = try await store.person("bob")
        let (shop, bank) = (
            try await store.service("shop").grant.session, try await store.service("bank").grant.session
        )
        let id = try await store.ask(as: shop.owner)
        let none = try #require(UUIDText(try SecureRandom.uuid()))
        for (target, stranger) in [(id, bob.session), (none, bob.session), (id, bank), (none, shop)] {
            #expect(
                try await code { _ = try await store.engine.notification(target, as: stranger.owner) }
                    == .notificationUnknown)
            #expect(
                try await code { try await store.engine.withdraw(notification: target, as: stranger) }
                    == .notificationUnknown)
            #expect(
                try await code { _ = try await store.engine.dismiss(notification: target, as: stranger) }
                    == .notificationUnknown)
        }
        #expect(
            try await code { _ = try await store.engine.answer(notification: id, as: bob.session, action: "Accept") }
                == .notificationUnknown)
        #expect(
            try await code { _ = try await store.engine.answer(notification: id, as: shop, action: "Accept") }
                == .scopeInsufficient)
        #expect(
            try await code { _ = try await store.ask(as: alice.session.owner) } == .scopeInsufficient)
        let operatorSession = try await store.logInOperator().session
        #expect(
            try await code { try await store.engine.withdraw(notification: id, as: operatorSession) }
                == .scopeInsufficient)
        #expect(try await store.inbox("bob").isEmpty)
        #expect(try await store.history(HistoryFilter(), "bob").isEmpty, "H14")
        #expect(try await store.inbox() == [id])
    }

    @Test("O19: withdrawn by whoever asked, dismissed by the person or an operator; each ends the signing that is open")
    func ends() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let service = try await store.service().grant.session
        let shop = service.owner
        let (device, operatorSession) = (
            try #require(alice.session.device), try await store.logInOperator().session
        )
        for (session, status, actor) in [
            (service, .discarded, "service shop"), (alice.session, .dismissed, "device \(device.text)"),
            (operatorSession, .dismissed, "operator session \(operatorSession.id.text)"),
        ] as [(Session, Notifications.Notification.Status, String)] {
            func end(_ id: UUIDText) async throws {
                guard status == .discarded else {
                    try await store.engine.dismiss(notification: id, as: session)
                    return
                }
                try await store.engine.withdraw(notification: id, as: session)
            }
            let id = try await store.ask(as: shop)
            let signing = try #require(
                try await store.engine.answer(notification: id, as: alice.session, action: "Accept").signing)
            try await end(id)
            #expect(try await store.state(id).status == status)
            let entry = try await store.engine.audit(AuditRow.Filter(), .first).first { $0.event.contains("notif") }
            #expect(entry?.event == (status == .discarded ? "notification-withdrawn" : "notification-dismissed"))
            #expect(entry?.detail == "notification \(id.text), by \(actor)", "who did it, by ids only")
            try await end(id)
            #expect(
                try await code { _ = try await store.answer(signing.id, alice.session) } == .notificationProcessed)
            #expect(
                try await code {
                    _ = try await store.engine.answer(notification: id, as: alice.session, action: "Reject")
                } == .notificationProcessed)
        }
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.engine.status().openCeremonies == 0)
    }

    @Test("S31, O01: wrong passwords count as ever; the last one leaves it waiting, with a signing that failed")
    func failed() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask(TestStore.question(life: 3_600_000))
        let signing = try #require(
            try await store.engine.answer(notification: id, as: alice.session, action: "Accept").signing)
        for left in [2, 1, 0] {
            let refusal = try await TestStore.refusal { try await store.answer(signing.id, alice.session, "wrong") }
            #expect(refusal == Refusal(.authenticationFailed, .attemptsLeft(left)))
        }
        #expect(try await store.state(id) == .pending)
        #expect(try await store.engine.notification(id, as: .operator).signing == .failed)
        store.clock.advance(5 * 60_000)
        #expect(try await store.choose("Accept", of: id, alice) != nil)
        #expect(try await store.engine.notification(id, as: .operator).signing == .signed)
    }

    @Test("Attack D6: a hundred may wait for one person; the next is refused until one is over")
    func flood() async throws {
        let store = try await TestStore()
        let draft = try TestStore.question(life: 60_000)
        for _ in 0..<100 { _ = try await store.ask(draft) }
        #expect(try await TestStore.refusal { try await store.ask(draft) } == Refusal(.tooManyOpen, .limit(100)))
        #expect(try await store.inbox().count == 100, "A16: all of them")
        store.clock.advance(60_000)
        _ = try await store.ask(draft)
        #expect(try await store.inbox().count == 1)
        #expect(try await store.history().count == 100)
    }

    @Test("Attack D6: one relying service has twenty of the places, so that others still reach the person")
    func shares() async throws {
        let store = try await TestStore()
        let (shop, bank) = (
            try await store.service("shop").grant.session, try await store.service("bank").grant.session.owner
        )
        var asked: [UUIDText] = []
        for _ in 0..<20 { asked.append(try await store.ask(as: shop.owner)) }
        let refusal = Refusal(.tooManyOpen, .limit(20))
        #expect(try await TestStore.refusal { try await store.ask(as: shop.owner) } == refusal)
        _ = try await store.ask(as: bank)
        _ = try await store.ask()
        try await store.engine.withdraw(notification: asked[7], as: shop)
        _ = try await store.ask(as: shop.owner)
        #expect(try await TestStore.refusal { try await store.ask(as: shop.owner) } == refusal)
        store.clock.advance(300_000)
        _ = try await store.ask(as: shop.owner)
    }

    @Test("N2: a signing that is to answer it ends with it, also where nobody looked")
    func endsTogether() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask(TestStore.question(life: 60_000))
        let end = try await store.engine.notification(id, as: .operator).notification.expiresAt
        let signing = try #require(
            try await store.engine.answer(notification: id, as: alice.session, action: "Accept").signing)
        #expect(signing.expiresAt == end)
        store.clock.advance(end - store.clock.now - 1)
        #expect(try await store.engine.signing(signing.id, as: alice.session.owner).state == .challenged)
        #expect(try await code { _ = try await store.start(alice.session) } == .ceremonyOpen)
        store.clock.advance(1)
        #expect(try await store.engine.signing(signing.id, as: alice.session.owner).state == .expired)
        // The row still says that it waits. The session is free all the same.
        _ = try await store.start(alice.session)
        #expect(try await code { _ = try await store.answer(signing.id, alice.session) } == .notificationExpired)
        #expect(try await store.events().suffix(2) == ["notification-made", "ceremony-expired"])
        // One of a long life leaves a signing its own end.
        let tablet = try await store.person(device: "tablet")
        let long = try await store.ask(TestStore.question(life: 3_600_000))
        let other = try #require(
            try await store.engine.answer(notification: long, as: tablet.session, action: "Accept").signing)
        #expect(other.expiresAt == store.clock.now + Challenge.lifetime)
        store.clock.advance(Challenge.lifetime)
        #expect(try await code { _ = try await store.answer(other.id, tablet.session) } == .challengeExpired)
    }

    @Test("Whoever asks does not learn who there is; an operator does")
    func unknownUsers() async throws {
        let store = try await TestStore()
        let shop = try await store.service().grant.session.owner
        try await store.engine.addUser(TestStore.user("locked"), password: nil)
        try await store.engine.lock(TestStore.user("locked"))
        for name in ["ghost", "locked"] {
            #expect(try await code { _ = try await store.ask(nil, name, as: shop) } == .authenticationFailed)
        }
        #expect(try await code { _ = try await store.ask(nil, "ghost") } == .userUnknown)
        #expect(try await code { _ = try await store.ask(nil, "locked") } == .userLocked)
    }

    @Test("O11: level 4 needs a provider; without one it is refused, and it still waits")
    func levelFour() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask(TestStore.question(level: 4))
        #expect(
            try await code {
                _ = try await store.engine.answer(notification: id, as: alice.session, action: "Accept")
            } == .methodNotSupported)
        #expect(try await store.inbox() == [id])
    }

    @Test("RFC 9470: an answer that is signed needs a log-in of not too long ago; one that is not, does not")
    func stepUp() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        store.clock.advance(13 * 3_600_000)
        let id = try await store.ask()
        #expect(
            try await code {
                _ = try await store.engine.answer(notification: id, as: alice.session, action: "Accept")
            } == .stepUpNeeded)
        _ = try await store.choose("Reject", of: id, alice)
    }

    @Test("Attack D4: the session of a device that was deleted meanwhile answers nothing")
    func deletedDevice() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let id = try await store.ask()
        let device = try #require(alice.session.device?.text)
        try await store.change { try $0.run("UPDATE devices SET state = 'deleted' WHERE id = $1", [.text(device)]) }
        #expect(
            try await code {
                _ = try await store.engine.answer(notification: id, as: alice.session, action: "Reject")
            } == .tokenInvalid)
        #expect(try await store.inbox() == [id])
    }

    @Test("A9: a question that is repeated is asked once, an answer counts once")
    func once() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let asked = Once<NotificationRecord>(owner: "operator", key: "k", digest: Array(repeating: 1, count: 32)) {
            .body(status: 201, Array($0.notification.id.text.utf8))
        }
        let id = try await store.engine.notify(
            TestStore.user("alice"), TestStore.question(), as: .operator, once: asked
        ).notification.id
        await #expect(throws: StorageError.self) {
            try await store.engine.notify(
                TestStore.user("alice"), TestStore.question(), as: .operator, once: asked)
        }
        #expect(try await store.inbox() == [id])
        _ = try await store.choose("Reject", of: id, alice)
        #expect(try await code { _ = try await store.choose("Reject", of: id, alice) } == .notificationProcessed, "A26")
    }
}

extension Policy {
    fileprivate static var anyAudience: Policy {
        var policy = Policy()
        policy.audience = .any
        return policy
    }
}
