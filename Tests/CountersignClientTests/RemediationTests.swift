import CountersignClient
import CountersignVerifier
import Foundation
import Synchronization
import Testing

@Suite("The steps of a push challenge, with the real service")
struct RemediationTests {
    /// The one challenge that waits for a device.
    private func challenge(_ phone: Phone, quick action: QuickAction.Kind? = nil, _ live: LiveServer) async throws
        -> PushChallenge
    {
        let text = try #require(try await live.challenges(of: phone).last)
        let response = PushNotificationResponse(push: text, actionIdentifier: action?.rawValue)
        return try #require(try await phone.authenticator.parsePushNotificationResponse(response))
    }

    /// Does what an app does whose person answers so.
    private func resolve(
        _ challenge: PushChallenge, _ steps: Steps, _ responses: UserConsentResponse...
    ) async throws -> PushChallenge.Resolution {
        var left = responses[...]
        return try await challenge.resolve { step in
            steps.add(step)
            switch step {
            case let consent as RemediationStepUserConsent: consent.provide(left.popFirst() ?? .none)
            case is RemediationStepMessage: break
            default: await step.defaultProcess()
            }
        }
    }

    private func status(_ id: String, _ phone: Phone) async throws -> [String?] {
        let now = try await phone.account.notification(id)
        return [now.status, now.actionPerformed]
    }

    @Test(
        "K28, K33, K35, K36: consent reaches the service; none leaves the question open",
        arguments: UserConsentResponse.allCases)
    func consent(_ response: UserConsentResponse) async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let asked = try await live.ask()
            let steps = Steps()
            let resolution = try await resolve(challenge(phone, live), steps, response)
            #expect(steps.all == ["consent"])
            switch (response, resolution) {
            case (.approved, .approved(nil)): #expect(try await status(asked, phone) == ["UPDATED", "Accept"])
            case (.denied, .denied): #expect(try await status(asked, phone) == ["UPDATED", "Reject"])
            case (.none, .unanswered): #expect(try await status(asked, phone) == ["PENDING", nil])
            default: Issue.record("\(response): \(resolution)")
            }
        }
    }

    @Test("K34, K37, K32: by default the quick action counts; without one the person has to be asked")
    func quickAction() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            for (kind, ends) in [
                (QuickAction.Kind.approve, ["UPDATED", "Accept"]), (.deny, ["UPDATED", "Reject"]),
                (nil, ["PENDING", nil]),
            ] as [(QuickAction.Kind?, [String?])] {
                let asked = try await live.ask()
                let steps = Steps()
                _ = try await challenge(phone, quick: kind, live).resolve { step in
                    steps.add(step)
                    await step.defaultProcess()
                }
                #expect(steps.all == ["consent"])
                #expect(try await status(asked, phone) == ends)
            }
        }
    }

    @Test(
        "K27, K29-K31: what is signed needs the person's verification, which is not the app's affair; wrong ones are told"
    )
    func verification() async throws {
        let passwords = Mutex(["wrong horse", "correct horse"])
        let requests = Mutex<[UserVerificationRequest]>([])
        try await LiveServer.run { live in
            let phone = try await live.phone {
                $0.userVerification = { request in
                    requests.withLock { $0.append(request) }
                    return passwords.withLock { $0.isEmpty ? nil : Secret($0.removeFirst()) }
                }
            }
            let asked = try await live.ask(level: 1)
            let steps = Steps()
            guard case .approved(let result?) = try await resolve(challenge(phone, live), steps, .approved) else {
                Issue.record("not signed")
                return
            }
            #expect(
                steps.all == [
                    "consent", "verification", "message: The verification failed. Attempts left: 2.", "verification",
                ])
            #expect(requests.withLock { $0.map(\.attemptsLeft) } == [3, 2])
            #expect(requests.withLock { $0.allSatisfy { $0.payload == result.payload && $0.user == "alice" } })
            let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
            #expect(claims.reserved[.notification] == asked && claims.device?.text == phone.enrollment.device)
            // The person cancels: nothing is signed, and the question is open.
            let second = try await live.ask(level: 1)
            let waiting = try await challenge(phone, live)
            let cancelled = Steps()
            guard case .unanswered = try await resolve(waiting, cancelled, .approved) else {
                Issue.record("answered")
                return
            }
            #expect(cancelled.all == ["consent", "verification", "message: The verification was cancelled."])
            #expect(try await status(second, phone) == ["PENDING", nil])
            // Nothing of it is left open: the next one works.
            passwords.withLock { $0 = ["correct horse"] }
            guard case .approved(.some) = try await resolve(waiting, Steps(), .approved) else {
                Issue.record("not signed")
                return
            }
        }
    }

    @Test("K29, C09: where no attempt is left, the person is told, and nothing is signed")
    func exhausted() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone { $0.userVerification = { _ in Secret("wrong horse") } }
            let asked = try await live.ask(level: 1)
            let steps = Steps()
            guard case .unanswered = try await resolve(challenge(phone, live), steps, .approved) else {
                Issue.record("answered")
                return
            }
            #expect(steps.all.last == "message: The verification failed, and no attempt is left.")
            #expect(steps.all.filter { $0 == "verification" }.count == 3)
            #expect(try await status(asked, phone) == ["PENDING", nil])
        }
    }

    @Test("K29: a key that is corrupt or missing is told, and nothing is answered")
    func key() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let asked = try await live.ask()
            let waiting = try await challenge(phone, live)
            let file = "\(live.profiles.directory.path)/profiles/alice/device.key"
            let good = try Data(contentsOf: URL(filePath: file))
            try Data("garbage".utf8).write(to: URL(filePath: file))
            for isMissing in [false, true] {
                if isMissing { try FileManager.default.removeItem(atPath: file) }
                let steps = Steps()
                guard case .unanswered = try await resolve(waiting, steps, .approved) else {
                    Issue.record("answered")
                    return
                }
                #expect(steps.all.count == 1 && steps.all[0].hasPrefix("message: This device's key cannot be used"))
            }
            try good.write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            #expect(try await status(asked, phone) == ["PENDING", nil])
            guard case .approved = try await resolve(waiting, Steps(), .approved) else {
                Issue.record("not answered")
                return
            }
        }
    }

    @Test("K29, K30: what is over, and what only tells something, is a message and no error")
    func messages() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let gone = try await live.ask()
            let late = try await challenge(phone, live)
            try await phone.account.dismissNotification(gone)
            let steps = Steps()
            guard case .unanswered = try await resolve(late, steps, .approved) else {
                Issue.record("answered")
                return
            }
            #expect(steps.all == ["message: This question is not open any more."])
            try await live.ask(actions: [])
            let notice = Steps()
            _ = try await resolve(challenge(phone, live), notice, .approved)
            #expect(notice.all == ["message: Is it you?"])
            // Answered on another device while the person looked.
            let raced = try await live.ask()
            let race = Steps()
            let resolution = try await challenge(phone, live).resolve { step in
                race.add(step)
                guard let consent = step as? RemediationStepUserConsent else { return }
                _ = try? await phone.account.answer(consent.notification, action: "Reject")
                consent.provide(.approved)
            }
            guard case .unanswered = resolution else {
                Issue.record("\(resolution)")
                return
            }
            #expect(race.all == ["consent", "message: This question is not open any more."])
            #expect(try await status(raced, phone) == ["UPDATED", "Reject"])
        }
    }

    @Test("K32: a matter that this version does not know is a step of its own; nothing is answered")
    func unknown() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let asked = try await live.ask()
            let odd = try #require(try await live.challenge(of: phone, about: "payment-of-tomorrow"))
            let parsed = try #require(try await phone.authenticator.parsePushNotification(odd))
            let steps = Steps()
            guard case .unanswered = try await resolve(parsed, steps, .approved) else {
                Issue.record("answered")
                return
            }
            #expect(steps.all == ["unknown"])
            #expect(try await status(asked, phone) == ["PENDING", nil])
        }
    }

    @Test(
        "K22, K28, K34, attack D6: a new device is approved with its match code; a quick action has none")
    func activation() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let tablet = try live.account("tablet")
            let waiting = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify()
            let code = try #require(waiting.matchCode)
            let wrong = code == "00" ? "01" : "00"
            let parsed = try await challenge(phone, quick: .approve, live)
            #expect(parsed.matter == "activation" && parsed.userResponse == .userApproved)
            let steps = Steps()
            let codes = Mutex([wrong, code])
            let resolution = try await parsed.resolve { step in
                steps.add(step)
                // The quick action first, which cannot bring a code; then what the person types.
                guard let consent = step as? RemediationStepUserConsent, steps.all.count > 1 else {
                    await step.defaultProcess()
                    return
                }
                #expect(consent.needsMatchCode && consent.notification.activation?.name == "Tablet")
                #expect(consent.notification.matchCode == nil, "it would prove nothing")
                consent.provide(.approved, matchCode: codes.withLock { $0.removeFirst() })
            }
            guard case .approved(nil) = resolution else {
                Issue.record("\(resolution)")
                return
            }
            #expect(
                steps.all == [
                    "consent",
                    "message: The match code is needed: the two digits that are shown where this was asked.",
                    "consent", "message: The match code is wrong. Codes left: 2.", "consent",
                ])
            #expect(try await tablet.activation(waiting.id).state == .approved)
        }
    }

    @Test("Attack D6: nobody is asked for ever: after three approvals without the code the question is left open")
    func withoutCode() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let tablet = try live.account("tablet")
            let waiting = try await tablet.beginActivation(user: "alice", deviceName: "Tablet").verify()
            let steps = Steps()
            let resolution = try await resolve(
                challenge(phone, live), steps, .approved, .approved, .approved, .approved)
            guard case .unanswered = resolution else {
                Issue.record("\(resolution)")
                return
            }
            #expect(steps.all.filter { $0 == "consent" }.count == 3)
            #expect(try await tablet.activation(waiting.id).state == .waiting)
        }
    }

    @Test(
        "K38-K40: what was not delivered waits at the service, for each enrolment by its own access token, until it is received"
    )
    func undelivered() async throws {
        try await LiveServer.run { live in
            let (alice, bob) = (try await live.phone("alice"), try await live.phone("bob"))
            let asked = [try await live.ask(), try await live.ask()]
            let other = try await live.ask("bob")
            let waiting = try await alice.enrollment.retrievePushChallenges(authenticationToken: alice.token)
            #expect(waiting.map(\.notificationID) == asked)
            #expect(waiting.allSatisfy { $0.userResponse == .userNotResponded })
            #expect(
                try await bob.enrollment.retrievePushChallenges(authenticationToken: bob.token).map(\.notificationID)
                    == [other])
            let refused = await fault {
                _ = try await bob.enrollment.retrievePushChallenges(authenticationToken: alice.token)
            }
            #expect(refused?.needsSignIn == true, "K41: the token of another account")
            #expect(
                try await alice.enrollment.retrievePushChallenges(authenticationToken: alice.token).count == 2,
                "fetching alone receives nothing")
            _ = try await resolve(try #require(waiting.first), Steps(), .none)
            #expect(
                try await alice.enrollment.retrievePushChallenges(authenticationToken: alice.token).map(
                    \.notificationID)
                    == [asked[1]])
            #expect(try await Set(alice.account.notifications().map(\.id)).isSuperset(of: asked), "it is in the inbox")
        }
    }

    @Test("K42: where the session is over the app is told to sign in again, and then goes on")
    func signIn() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            try await live.ask()
            let waiting = try await challenge(phone, live)
            let token = try await phone.token
            try await phone.account.logOut()
            let missing = await failure { _ = try await phone.account.accessToken() }
            #expect(missing?.needsLogIn == true)
            let stale = await fault {
                _ = try await phone.enrollment.retrievePushChallenges(authenticationToken: token)
            }
            #expect(stale?.needsSignIn == true)
            let refused = await fault { _ = try await resolve(waiting, Steps(), .approved) }
            #expect(refused?.needsSignIn == true)
            try await phone.account.logIn(user: "alice", password: Secret("correct horse"))
            guard case .approved = try await resolve(waiting, Steps(), .approved) else {
                Issue.record("not answered")
                return
            }
        }
    }
}
