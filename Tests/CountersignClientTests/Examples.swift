import CountersignClient
import CountersignVerifier
import Foundation
import Testing

// What docs/client.md shows, so that it compiles. The order is that of the page.

func firstSignature(code: String, password: Secret, now: Int64) async throws {
    let server = "https://sign.example.com"
    let profile = try ProfileDirectory.standard().create("work", server: server)
    let account = try Account(profile)
    try await account.enrol(user: "alice", activationCode: code, password: password, deviceName: "Alice's laptop")

    // The service asks who it is, for exactly this text.
    let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
    let signed = try await signing.answer(with: password)
    guard let result = signed.result else { return }
    print(result.statement)

    // Whoever has the service's keys can verify it, without the service.
    let verifier = StatementVerifier(trust: try await CountersignService(server).trust())
    if case .valid(let statement) = verifier.verify(Array(result.statement.utf8), at: now) {
        print(statement.claims.subject, "signed", statement.claims.payload)
    }
}

func deleteLostPhone(_ account: Account) async throws {
    let list = try await account.devices()
    if let lost = list.devices.first(where: { $0.name == "Old phone" && !$0.isCurrent }) {
        try await account.updateDevices([.delete(lost.id)])
    }
}

func launch(account: Account, deviceToken: [UInt8]) async throws -> DeviceAuthenticator {
    var config = ApplicationConfig(profiles: try ProfileDirectory.standard())
    config.pushSettings.apsEnvironment = .production
    config.approveActionTitle = "Approve"
    config.denyActionTitle = "Deny"
    config.userVerification = { request in await askForPassword(request.payload, request.attemptsLeft) }
    let authenticator = DeviceAuthenticator(config)
    if try authenticator.allEnrollments().isEmpty {
        // Once: the person is logged in with the profile `work`.
        _ = try await authenticator.enroll(
            authenticationToken: .bearer(account.accessToken()),
            authenticatorConfig: AuthenticatorConfig(orgURL: account.origin, oidcClientId: "work"),
            enrollmentParameters: EnrollmentParameters(deviceToken: deviceToken))
    }
    // At every launch: the push token may be another, and something may have come meanwhile.
    for enrollment in try authenticator.allEnrollments() {
        let token = AuthToken.bearer(try await enrollment.accessToken())
        try await enrollment.updateDeviceToken(deviceToken, authenticationToken: token)
        for challenge in try await enrollment.retrievePushChallenges(authenticationToken: token) {
            try await answer(challenge)
        }
    }
    return authenticator
}

func received(_ push: [UInt8], _ quickAction: String?, _ authenticator: DeviceAuthenticator) async throws {
    let response = PushNotificationResponse(push: push, actionIdentifier: quickAction)
    guard let challenge = try await authenticator.parsePushNotificationResponse(response) else {
        return  // A push of somebody else.
    }
    try await answer(challenge)
}

func answer(_ challenge: PushChallenge) async throws {
    _ = try await challenge.resolve { step in
        switch step {
        case let consent as RemediationStepUserConsent where challenge.userResponse == .userNotResponded:
            let (response, matchCode) = await askForConsent(consent.notification, consent.needsMatchCode)
            consent.provide(response, matchCode: matchCode)
        case let message as RemediationStepMessage: print(message.text)
        default: await step.defaultProcess()
        }
    }
}

func sign(_ account: Account, askForPassword: (Int?) -> Secret) async throws -> SignedResult? {
    let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
    var left = signing.attemptsLeft
    while true {
        do {
            return try await signing.answer(with: askForPassword(left)).result
        } catch {
            guard case .refused(let refusal) = error, refusal.attemptsLeft ?? 0 > 0 else { throw error }
            left = refusal.attemptsLeft
        }
    }
}

func receipt(secret: Secret) async throws -> SignedResult {
    let shop = try RelyingService("shop", .secret(secret), at: "https://sign.example.com")
    return try await shop.sign(user: "alice", payload: "Order 17", reason: "Receipt")
}

func approval(of merge: String, by shop: RelyingService) async throws -> String? {
    let new = NewRequest(of: .person("alice"), payload: merge, reason: "Release")
    let asked = try await shop.ask(new)
    print("match code", asked.matchCode ?? "none")
    guard case .done(let record) = try await shop.outcome(of: asked.id) else { return nil }
    return record.result?.statement
}

func invite(_ name: String, token: Secret) async throws -> String {
    let profile = try ProfileDirectory.standard().create("root", server: "https://sign.example.com")
    let account = try Account(profile)
    try await account.logIn(operatorToken: token)
    try await account.operator.addUser(name)
    return try await account.operator.makeActivationCode(for: name).code
}

// What an app has of its own.

private func askForPassword(_ payload: String, _ attemptsLeft: Int?) async -> Secret? { nil }

private func askForConsent(
    _ notification: NotificationRecord, _ needsMatchCode: Bool
) async -> (UserConsentResponse, String?) { (.none, nil) }

@Suite("docs/client.md")
struct ExampleTests {
    @Test("What the page shows is what is compiled here, and works")
    func page() async throws {
        let here = URL(filePath: #filePath)
        let page = here.deletingLastPathComponent().appending(path: "../../docs/client.md")
        let code = try String(contentsOf: here, encoding: .utf8)
        let blocks = try String(contentsOf: page, encoding: .utf8).split(separator: "```swift\n").dropFirst()
            .map { $0.split(separator: "```")[0] }
        var compared = 0
        for block in blocks where !block.contains("Package.swift") {
            let text = block.split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0.hasPrefix("import") || $0.isEmpty }
            #expect(code.contains(text.joined(separator: "\n")), "\(block)")
            compared += 1
        }
        #expect(compared == 7)
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            var asked: [Int?] = []
            let result = try await sign(alice) { left in
                asked.append(left)
                return Secret(asked.count < 3 ? "wrong horse" : "correct horse")
            }
            #expect(result?.payload == "Pay 5.00 EUR to Bob" && asked == [3, 2, 1])
        }
    }
}
