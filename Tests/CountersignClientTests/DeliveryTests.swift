import CountersignClient
import CountersignVerifier
import SigningService
import Testing

@Suite("Deliveries with the real service")
struct DeliveryTests {
    @Test("The operator lists what is to be carried and what came of it, by each filter; a person does not")
    func list() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let root = try await live.operatorAccount().operator
            try await root.set("webhook", to: "https://backend.example/hook")
            let news = NewNotification(for: "alice", .init(language: "en", subject: "News", message: "Read me"))
            let told = [try await root.notify(news).id, try await root.notify(news).id]
            let taken = try #require(await live.engine.takeDeliveries(.webhook, limit: 1).first)
            try await live.engine.end(taken, .delivered(receipt: "204"))
            let all = try await root.deliveries()
            #expect(Set(all.map(\.notification)) == Set(told))
            let delivered = try #require(all.first { $0.id == taken.id.text })
            #expect(delivered.state == "delivered" && delivered.receipt == "204" && delivered.attempts == 1)
            #expect(delivered.nextAt == nil && delivered.endedAt != nil && delivered.event == "notification-made")
            #expect(delivered.user == "alice" && delivered.transport == "webhook" && delivered.device == nil)
            var filter = DeliveryFilter()
            filter.state = "waiting"
            let waiting = try #require(try await root.deliveries(filter).first)
            #expect(waiting.attempts == 0 && waiting.receipt == nil && waiting.status == "PENDING")
            #expect(waiting.nextAt == waiting.createdAt && waiting.expiresAt > waiting.createdAt)
            (filter.state, filter.notification) = (nil, waiting.notification)
            #expect(try await root.deliveries(filter).map(\.id) == [waiting.id])
            #expect(try await root.deliveries(startIndex: 2, count: 5).map(\.id) == [all[1].id])
            (filter.notification, filter.user) = (nil, "bob")
            #expect(try await root.deliveries(filter).isEmpty)
            (filter.user, filter.transport, filter.since) = (nil, "webhook", delivered.createdAt)
            #expect(try await root.deliveries(filter).contains { $0.id == delivered.id })
            (filter.since, filter.until) = (nil, 1)
            #expect(try await root.deliveries(filter).isEmpty)
            #expect(await failure { _ = try await alice.operator.deliveries() }?.refusal?.code == 1827)
        }
    }
}
