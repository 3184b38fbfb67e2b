import CountersignClient
import CountersignVerifier
import SigningService
import Testing

@Suite("Notifications with the real service")
struct NotificationTests {
    private let question = NewNotification(
        for: "alice",
        CountersignClient.NotificationRecord.Body(
            language: "en", subject: "Transfer", message: "Pay 5.00 EUR to Bob?",
            labels: ["Accept": "Approve", "Reject": "Decline"]),
        actions: [.init("Accept", level: 1), .init("Reject")], expiresIn: 600, enterprise: "acme")

    @Test("N6, A9: asked, read, signed though the replies are lost; whoever asked has the answer and its statement")
    func story() async throws {
        try await LiveServer.run { live in
            let exchange = try live.exchange()
            let alice = try await live.person("alice", exchange)
            let secret = try await live.operatorAccount().operator.addClient("shop").secret
            let shop = try live.relying("shop", .secret(Secret(try #require(secret))), isBound: false)
            let asked = try await shop.notify(question)
            let inbox = try await alice.notifications()
            #expect(inbox.map(\.id) == [asked.id])
            #expect(inbox.first?.client == "shop" && inbox.first?.enterprise == "acme")
            let read = try await alice.notification(asked.id)
            #expect(read.bodies.first?.labels["Reject"] == "Decline" && read.actions.map(\.level) == [1, 0])
            exchange.lose("/answer")
            let answer = try await alice.answer(read, action: "Accept")
            let signing = try #require(answer.signing)
            #expect(answer.notification.status == "PENDING")
            exchange.lose("/answers")
            let result = try #require(try await signing.answer(with: Secret("correct horse")).result)
            let now = try await shop.notification(asked.id)
            #expect(now.status == "UPDATED" && now.actionPerformed == "Accept" && now.signingStatus == "SIGNED")
            #expect(now.signatureID == result.signatureID)
            #expect(try await shop.statements().map(\.statement) == [result.statement])
            let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
            #expect(claims.reserved[.notification] == asked.id && claims.audience == "shop")
            var filter = NotificationFilter()
            (filter.status, filter.action) = ("UPDATED", "Accept")
            (filter.keyword, filter.enterprise) = ("TRANSFER", "acme")
            #expect(try await alice.notificationHistory(filter, count: 0).map(\.id) == [asked.id])
            filter.keyword = "transfer_"
            #expect(try await alice.notificationHistory(filter).isEmpty)
        }
    }

    @Test("O19, A26: rejected without a signature, withdrawn, dismissed; nothing counts twice")
    func ends() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let `operator` = try await live.operatorAccount().operator
            let ids = [
                try await `operator`.notify(question).id, try await `operator`.notify(question).id,
                try await `operator`.notify(question).id,
            ]
            let rejected = try await alice.answer(alice.notification(ids[0]), action: "Reject")
            #expect(rejected.signing == nil && rejected.notification.actionPerformed == "Reject")
            try await `operator`.withdrawNotification(ids[1])
            try await `operator`.withdrawNotification(ids[1])
            try await alice.dismissNotification(ids[2])
            for id in ids {
                let refusal = await failure {
                    _ = try await alice.answer(alice.notification(id), action: "Reject")
                }?.refusal
                #expect(refusal?.code == 1701)
            }
            #expect(try await alice.notificationHistory().map(\.status) == ["DISMISSED", "DISCARDED", "UPDATED"])
            let unknown = await failure { _ = try await alice.notification("00000000-0000-4000-8000-000000000000") }
            #expect(unknown?.refusal?.code == 1700)
        }
    }

    @Test("What cannot be a notification is refused before it is sent")
    func refused() async throws {
        try await LiveServer.run { live in
            let `operator` = try await live.operatorAccount().operator
            var broken = question
            broken.actions.append(.init("Accept"))
            let refusal = await failure { _ = try await `operator`.notify(broken) }?.refusal
            #expect(refusal?.code == 1710 && refusal?.member == "actions")
        }
    }
}
