import CountersignClient
import Testing

@Suite("New devices, with the real service")
struct ActivationTests {
    private let password = "correct horse"

    @Test("A01, A05, A07-A11: approved on one device, and with the password on the other, whatever answer is lost")
    func approved() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let exchange = try live.exchange()
            let tablet = try live.account("tablet", exchange)
            exchange.lose("/v1/activations")
            let begun = try await tablet.beginActivation(user: "alice", deviceName: " Alice's tablet ")
            #expect(begun.state == .offered && begun.options == ["verify", "activation-code"])
            #expect(begun.matchCode == nil && begun.expiresIn > 0)
            exchange.lose("/v1/activations/\(begun.id)/verify")
            let waiting = try await begun.verify()
            #expect(waiting.state == .waiting)
            let code = try #require(waiting.matchCode)
            #expect(try await tablet.activation(begun.id).matchCode == code)
            #expect(await failure { try await waiting.finish(password: Secret(self.password)) }?.refusal?.code == 1614)
            let questions = try await alice.notifications()
            let question = try #require(questions.first)
            #expect(questions.count == 1 && question.actions.map(\.value) == ["Accept", "Reject"])
            async let decision = waiting.decided()
            _ = try await alice.answer(question, action: "Accept", matchCode: code)
            let approved = try await decision
            #expect(approved.state == .approved)
            #expect(await failure { try await approved.finish(password: Secret("not hers")) }?.refusal?.code == 102)
            exchange.lose("/v1/activations/\(begun.id)/finish")
            try await approved.finish(password: Secret(password))
            #expect(try await tablet.devices().devices.map(\.name) == ["Laptop of alice", "Alice's tablet"])
            #expect(try await tablet.activation(begun.id).state == .activated)
            let again = await failure { _ = try await tablet.beginActivation(user: "alice", deviceName: "Again") }
            #expect(again?.refusal?.code == 1841)
        }
    }

    @Test("D6: a person says that it was not them, and lets in no device until the operator lifts it")
    func disowned() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let tablet = try live.account("tablet")
            let root = try await live.operatorAccount().operator
            for blocks in [false, true] {
                let waiting = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify()
                let question = try #require(try await alice.notifications().first { !$0.actions.isEmpty })
                let answer = try await alice.disown(question, blocks: blocks)
                #expect(answer.notification.actionPerformed == "Reject" && answer.signing == nil)
                #expect(try await waiting.decided().state == .rejected)
                #expect(try await (root.user("alice").activationsBlockedAt != nil) == blocks)
            }
            let alert = try #require(try await alice.notifications().first)
            #expect(alert.actions.isEmpty)
            #expect(await failure { _ = try await alice.disown(alert) }?.refusal?.code == 1803)
            try await root.unlock("alice")
            #expect(try await root.user("alice").activationsBlockedAt == nil)
        }
    }

    @Test("A06, A08, A12-A14, O20, C15: rejected, given up, or by a code while the others are asked")
    func others() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let tablet = try live.account("tablet")
            let first = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify()
            let question = try #require(try await alice.notifications().first)
            _ = try await alice.answer(question, action: "Reject")
            #expect(try await first.decided().state == .rejected)
            #expect(await failure { _ = try await first.verify() }?.refusal?.code == 1609)
            try await first.cancel()
            let second = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify()
            try await second.cancel()
            try await second.cancel()
            #expect(try await second.refreshed().state == .cancelled)
            #expect(try await alice.notifications().isEmpty)
            let third = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify().fallBack()
            #expect(third.state == .fallback && third.matchCode == nil)
            #expect(try await alice.notifications().isEmpty)
            #expect(try await alice.notificationHistory().map(\.status) == ["DISCARDED", "DISCARDED", "UPDATED"])
            let code = try await live.operatorAccount().operator.makeActivationCode(for: "alice").code
            try await tablet.enrol(
                user: "alice", activationCode: code, password: Secret(password), deviceName: "Tablet")
            #expect(try await third.refreshed().state == .activated)
            let stranger = try live.account("stranger")
            #expect(await failure { _ = try await stranger.activation(third.id) }?.refusal?.code == 1612)
            #expect(await failure { _ = try await stranger.activation("../x") }?.refusal?.status == 404)
        }
    }
}
