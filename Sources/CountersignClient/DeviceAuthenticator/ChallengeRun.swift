internal import CountersignVerifier
internal import Notifications
internal import Signing

/// One resolution of a challenge: fetch what is asked, let the person consent, verify them where something is signed.
struct ChallengeRun {
    /// How often consent is asked for at most: a match code may be mistyped.
    private static let rounds = 3

    private let challenge: PushChallenge
    private let account: Account
    private var verify: (@Sendable (UserVerificationRequest) async -> Secret?)? {
        challenge.enrollment.authenticator.applicationConfig.userVerification
    }

    init(_ challenge: PushChallenge, _ account: Account) {
        self.challenge = challenge
        self.account = account
    }

    func run(
        _ process: (any RemediationStep) async -> Void
    ) async throws(ServiceError) -> PushChallenge.Resolution {
        try await account.received(challenge.notificationID)
        let notification = try await account.notification(challenge.notificationID)
        guard notification.status == Notification.Status.pending.rawValue else {
            await process(RemediationStepMessage(subject: .over))
            return .unanswered
        }
        let offered = Set(notification.actions.map(\.value))
        guard offered.isSuperset(of: [NotificationAction.accept, NotificationAction.reject]) else {
            await process(RemediationStepMessage(subject: .notice(notification)))
            return .unanswered
        }
        // A quick action answers the first time; after that the person has to look.
        var quickResponse = challenge.userResponse.consent
        for _ in 0..<Self.rounds {
            let step = RemediationStepUserConsent(notification, quickResponse: quickResponse)
            quickResponse = .none
            await process(step)
            let (response, matchCode) = step.answer
            switch response {
            case .none: return .unanswered
            case .denied:
                _ = try await account.answer(notification, action: NotificationAction.reject)
                return .denied
            case .approved where step.needsMatchCode && matchCode == nil:
                await process(RemediationStepMessage(subject: .matchCode(codesLeft: nil)))
            case .approved:
                if let resolution = try await approve(notification, matchCode, process) { return resolution }
            }
        }
        return .unanswered
    }

    /// Approves.
    ///
    /// - Returns: nil where the match code was wrong, and another may be brought.
    private func approve(
        _ notification: NotificationRecord, _ matchCode: String?, _ process: (any RemediationStep) async -> Void
    ) async throws(ServiceError) -> PushChallenge.Resolution? {
        let answer: NotificationAnswer
        do throws(ServiceError) {
            answer = try await account.answer(
                notification, action: NotificationAction.accept, matchCode: matchCode)
        } catch {
            guard case .refused(let refusal) = error, refusal.refusal?.code == .matchCodeWrong else { throw error }
            await process(RemediationStepMessage(subject: .matchCode(codesLeft: refusal.attemptsLeft)))
            return refusal.attemptsLeft == 0 ? .unanswered : nil
        }
        guard let signing = answer.signing else { return .approved(nil) }
        return try await verified(signing, process)
    }

    /// Verifies the person for exactly what is signed, as often as they have attempts.
    private func verified(
        _ signing: SigningFlow, _ process: (any RemediationStep) async -> Void
    ) async throws(ServiceError) -> PushChallenge.Resolution {
        var left = signing.attemptsLeft
        while true {
            let step = RemediationStepUserVerification(
                UserVerificationRequest(
                    user: signing.user, payload: signing.payload, reason: signing.reason, attemptsLeft: left), verify)
            await process(step)
            guard let evidence = step.evidence else {
                try await signing.reset()
                await process(RemediationStepMessage(subject: .verificationCancelled))
                return .unanswered
            }
            do throws(ServiceError) {
                return .approved(try await signing.answer(with: evidence).result)
            } catch {
                guard case .refused(let refusal) = error, refusal.refusal?.code == .authenticationFailed,
                    let attempts = refusal.attemptsLeft
                else { throw error }
                left = attempts
                await process(RemediationStepMessage(subject: .verificationFailed(attemptsLeft: attempts)))
                if attempts <= 0 { return .unanswered }
            }
        }
    }
}

extension PushChallenge.UserResponse {
    /// The answer that a quick action stands for.
    fileprivate var consent: UserConsentResponse {
        switch self {
        case .userNotResponded: .none
        case .userApproved: .approved
        case .userDenied: .denied
        }
    }
}
