import CountersignClient
import CountersignVerifier
import SigningService
import Testing

@Suite("Signing requests with the real service")
struct RequestTests {
    private func shop(_ live: LiveServer) async throws -> RelyingService {
        let secret = try await live.operatorAccount().operator.addClient("shop").secret
        return try live.relying("shop", .secret(Secret(try #require(secret))), isBound: false)
    }

    @Test("A9, attack D6: asked, accepted with the match code, and whoever waits has the statement")
    func story() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let shop = try await shop(live)
            let new = NewRequest(of: .person("alice"), payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
            let asked = try await shop.ask(new, key: "one")
            #expect(try await shop.ask(new, key: "one").id == asked.id)
            let matchCode = try #require(asked.matchCode)
            guard case .pending = try await shop.request(asked.id) else {
                Issue.record("not pending")
                return
            }
            let inbox = try await alice.notifications()
            let question = try #require(inbox.first { $0.request?.id == asked.id })
            #expect(inbox.count == 1 && question.match == .required && question.matchCode == nil)
            #expect(question.request?.asker == "shop" && question.request?.payload == new.payload)
            async let outcome = shop.outcome(of: asked.id)
            let answer = try await alice.answer(question, action: "Accept", matchCode: matchCode)
            let signing = try #require(answer.signing)
            let result = try #require(try await signing.answer(with: Secret("correct horse")).result)
            guard case .done(let record) = try await outcome else {
                Issue.record("not done")
                return
            }
            #expect(record.result?.statement == result.statement && record.bundle == nil)
            #expect(try await shop.requests().map(\.status) == ["done"])
        }
    }

    @Test("Cancelled: whoever asked hears of it, the question is gone; a group's bundle is text that a verifier takes")
    func endsAndGroups() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let shop = try await shop(live)
            let `operator` = try await live.operatorAccount().operator
            #expect(try await `operator`.addGroup("board", members: ["alice"]).members == ["alice"])
            var new = NewRequest(of: .group("board", required: 1), payload: "Merge", reason: "Release")
            new.matchCode = .offered
            let cancelled = try await shop.ask(new)
            try await shop.cancelRequest(cancelled.id)
            try await shop.cancelRequest(cancelled.id)
            guard case .declined = try await shop.outcome(of: cancelled.id) else {
                Issue.record("not cancelled")
                return
            }
            #expect(try await alice.notifications().isEmpty)
            let asked = try await shop.ask(new)
            let question = try #require(try await alice.notifications().first)
            #expect(question.match == .offered && question.matchCode == asked.matchCode)
            #expect(question.request?.quorum == "1/1")
            let answer = try await alice.answer(question, action: "Accept")
            _ = try await #require(answer.signing).answer(with: Secret("correct horse"))
            guard case .done(let record) = try await shop.outcome(of: asked.id) else {
                Issue.record("not done")
                return
            }
            let bundle = try UnverifiedBundle(Array(try #require(record.bundle).utf8).span)
            #expect(bundle.statements.count == 1 && record.result == nil && record.group == "board")
            #expect(try await `operator`.setGroup("board", members: ["alice"]).name == "board")
            try await `operator`.deleteGroup("board")
            #expect(try await `operator`.groups().isEmpty)
        }
    }
}
