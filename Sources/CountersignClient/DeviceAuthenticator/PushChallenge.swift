public import CountersignVerifier
internal import Notifications
internal import Signing

/// A question that arrived for a device, and that its service really asked.
///
/// ```swift
/// let resolution = try await challenge.resolve { step in
///     switch step {
///     case let consent as RemediationStepUserConsent: consent.provide(await ask(consent.notification))
///     case let message as RemediationStepMessage: show(message.text)
///     default: await step.defaultProcess()
///     }
/// }
/// ```
public struct PushChallenge: Sendable, Identifiable {
    /// What the person did before the app was opened.
    public enum UserResponse: Sendable, Hashable, CaseIterable {
        /// They chose no quick action.
        case userNotResponded
        /// They chose to approve.
        case userApproved
        /// They chose to deny.
        case userDenied
    }

    /// What came of it.
    public enum Resolution: Sendable {
        /// Approved; with the statement where something was signed.
        case approved(SignedResult?)
        /// Denied.
        case denied
        /// Nothing was answered: the question is open as before, or over.
        case unanswered
    }

    let claims: PushClaims
    /// The enrolment that it is for.
    public let enrollment: AuthenticatorEnrollment
    /// What the person did before the app was opened. An app asks again where they did nothing.
    public let userResponse: UserResponse

    init(_ claims: PushClaims, to enrollment: AuthenticatorEnrollment, userResponse: UserResponse) {
        self.claims = claims
        self.enrollment = enrollment
        self.userResponse = userResponse
    }

    /// The id of this one text: the same question may arrive again with another.
    public var id: String { claims.id.text }
    /// The id of the question.
    public var notificationID: String { claims.notification.text }
    /// What it is about: `message`, `request`, `activation`, or what a later version knows.
    public var matter: String { claims.matter }
    /// When it was signed, seconds since 1970.
    public var issuedAt: Int64 { claims.issuedAt }
    /// When it ends, seconds since 1970.
    public var expiresAt: Int64 { claims.expiresAt }

    /// Leads a person through it, step by step: each is given to the app when the one before is processed. The service learns at once
    /// that the device has it.
    ///
    /// - Parameter process: shows a step and waits for the person. Steps that it does not know it leaves to
    ///   ``RemediationStep/defaultProcess()``.
    /// - Throws: `serverAPIError` where the service refuses: see ``DeviceAuthenticatorError/needsSignIn``.
    public func resolve(
        _ process: (any RemediationStep) async -> Void
    ) async throws(DeviceAuthenticatorError) -> Resolution {
        guard NotificationMatter.Word(rawValue: matter) != nil else {
            await process(RemediationStepUnknown(matter: matter))
            return .unanswered
        }
        let account: Account
        do throws(ServiceError) { account = try enrollment.authenticator.account(enrollment.profile) } catch {
            await process(RemediationStepMessage(subject: .keyCorruptOrMissing(error.description)))
            return .unanswered
        }
        do throws(ServiceError) {
            return try await ChallengeRun(self, account).run(process)
        } catch {
            guard case .refused(let refusal) = error, refusal.isOver else { throw DeviceAuthenticatorError(error) }
            await process(RemediationStepMessage(subject: .over))
            return .unanswered
        }
    }
}

/// What a push brought, and what the person did with it before the app was opened.
public struct PushNotificationResponse: Sendable {
    /// What the push brought.
    public let push: [UInt8]
    /// The identifier of the quick action; nil, or one that is none of ``ApplicationConfig/quickActions``, where they just opened the app.
    public let actionIdentifier: String?

    /// A response.
    public init(push: [UInt8], actionIdentifier: String?) {
        self.push = push
        self.actionIdentifier = actionIdentifier
    }

    /// What that means.
    var userResponse: PushChallenge.UserResponse {
        switch actionIdentifier.flatMap({ QuickAction.Kind(rawValue: $0) }) {
        case .approve, .userVerification: .userApproved
        case .deny: .userDenied
        case nil: .userNotResponded
        }
    }
}

extension ServiceRefusal {
    /// Whether what was asked about is not open any more.
    fileprivate var isOver: Bool {
        switch refusal?.code {
        case .notificationUnknown, .notificationProcessed, .notificationExpired, .cancelled, .challengeExpired: true
        default: false
        }
    }
}
