import CountersignClient
import CountersignVerifier
import SigningService
import Synchronization
import Testing

/// Pushes about what the service itself asks: a signing request, and a new device.
@Suite("Pushes about signing requests and new devices, with the real service")
struct PushMatterTests {
    private func phone(_ live: LiveServer) async throws -> Phone {
        try await live.phone {
            $0.approveActionTitle = "Approve"
            $0.denyActionTitle = "Deny"
            $0.userVerification = { _ in Secret("correct horse") }
        }
    }

    private func shop(_ live: LiveServer) async throws -> RelyingService {
        let secret = try await live.operatorAccount().operator.addClient("shop").secret
        return try live.relying("shop", .secret(Secret(try #require(secret))), isBound: false)
    }

    /// What a push brought with a quick action.
    private func response(_ text: [UInt8], _ kind: QuickAction.Kind) -> PushNotificationResponse {
        PushNotificationResponse(push: text, actionIdentifier: kind.rawValue)
    }

    /// Whoever it is not for takes it for nothing of theirs; and it is over when its question is.
    private func isRefused(_ text: [UInt8], live: LiveServer) async throws {
        try await LiveServer.run { other in
            let stranger = try await other.phone()
            #expect(try await stranger.authenticator.parsePushNotification(text) == nil, "another service's device")
            let quick = PushNotificationResponse(push: text, actionIdentifier: QuickAction.Kind.approve.rawValue)
            #expect(try await stranger.authenticator.parsePushNotificationResponse(quick) == nil)
        }
        let late = try live.app(now: { EngineClock.system.now() + 700_000 })
        let error = await fault { _ = try await late.parsePushNotificationResponse(self.response(text, .approve)) }
        guard case .challengeExpired? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "K22, K24-K26, K34, O40: a push about a signing request; its quick action signs for whoever asked, or declines")
    func request() async throws {
        try await LiveServer.run { live in
            let phone = try await phone(live)
            let shop = try await shop(live)
            var new = NewRequest(of: .person("alice"), payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
            new.matchCode = .without
            let asked = try await shop.ask(new)
            let text = try #require(try await live.challenges(of: phone).last)
            try await isRefused(text, live: live)
            let challenge = try #require(
                try await phone.authenticator.parsePushNotificationResponse(response(text, .approve)))
            #expect(challenge.matter == "request" && challenge.userResponse == .userApproved)
            let shown = Mutex<String?>(nil)
            let steps = Steps()
            let resolution = try await challenge.resolve { step in
                steps.add(step)
                if let consent = step as? RemediationStepUserConsent {
                    shown.withLock { $0 = consent.notification.request?.payload }
                }
                await step.defaultProcess()
            }
            guard case .approved(let result?) = resolution,
                case .done(let record) = try await shop.outcome(of: asked.id)
            else {
                Issue.record("\(resolution)")
                return
            }
            #expect(steps.all == ["consent", "verification"] && shown.withLock { $0 } == new.payload)
            #expect(record.result?.statement == result.statement)
            let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
            #expect(claims.audience == "shop" && claims.reserved[.request] == asked.id)
            #expect(claims.device?.text == phone.enrollment.device)
            #expect(try await live.challenges(of: phone).isEmpty)
            let declined = try await shop.ask(new)
            let other = try #require(try await live.challenges(of: phone).last)
            let denial = try #require(
                try await phone.authenticator.parsePushNotificationResponse(response(other, .deny)))
            guard case .denied = try await denial.resolve({ await $0.defaultProcess() }),
                case .declined = try await shop.outcome(of: declined.id)
            else {
                Issue.record("not declined")
                return
            }
        }
    }

    @Test(
        "K22, K24-K26, K34, A08, A10, D6: a push about a new device; its quick action suffices where the code is only shown",
        arguments: ["required", "offered"])
    func activation(mode: String) async throws {
        try await LiveServer.run { live in
            _ = try await live.engine.set(.matchCode, to: mode)
            let phone = try await phone(live)
            let tablet = try live.account("tablet")
            let waiting = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify()
            let code = try #require(waiting.matchCode)
            let text = try #require(try await live.challenges(of: phone).last)
            try await isRefused(text, live: live)
            let challenge = try #require(
                try await phone.authenticator.parsePushNotificationResponse(response(text, .approve)))
            #expect(challenge.matter == "activation" && challenge.userResponse == .userApproved)
            let steps = Steps()
            let resolution = try await challenge.resolve { step in
                let isAgain = steps.all.contains("consent")
                steps.add(step)
                guard isAgain, let consent = step as? RemediationStepUserConsent else {
                    return await step.defaultProcess()
                }
                consent.provide(.approved, matchCode: code)
            }
            guard case .approved(nil) = resolution else {
                Issue.record("\(resolution)")
                return
            }
            #expect(steps.all.filter { $0 == "consent" }.count == (mode == "required" ? 2 : 1))
            #expect(!steps.all.contains("verification"), "nothing is signed")
            #expect(try await waiting.decided().state == .approved)
            try await waiting.cancel()
            let second = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify()
            let denied = try #require(try await live.challenges(of: phone).last)
            let denial = try #require(
                try await phone.authenticator.parsePushNotificationResponse(response(denied, .deny)))
            guard case .denied = try await denial.resolve({ await $0.defaultProcess() }) else {
                Issue.record("not denied")
                return
            }
            #expect(try await second.decided().state == .rejected)
        }
    }
}
