/// How an app receives push challenges. Nothing of it is kept anywhere.
public struct ApplicationConfig: Sendable {
    /// How the app is reached by its push service.
    public struct PushSettings: Sendable {
        /// Which of the push service's two worlds the app's tokens belong to.
        public enum Environment: String, Sendable, CaseIterable {
            /// Apps as people get them.
            case production
            /// Apps that are being made.
            case development
        }

        /// Which of them.
        public var apsEnvironment = Environment.production
    }

    /// Where the profiles are whose devices are enrolled. Programs that share it share the enrolments.
    public let profiles: ProfileDirectory
    /// How the app is reached.
    public var pushSettings = PushSettings()
    /// The title of the quick action that approves; nil: there is none.
    public var approveActionTitle: String?
    /// The title of the quick action that denies.
    public var denyActionTitle: String?
    /// The title of the quick action that approves and leads to the verification of the person.
    public var userVerificationActionTitle: String?
    /// How the service is asked; what a profile says of its certificates holds where these say nothing.
    public var service = ServiceOptions()
    /// The passcode of a profile's key, by the profile's name; nil: keys are not encrypted.
    public var passcode: (@Sendable (_ profile: String) -> Secret?)?
    /// Asks the person for the evidence that a step-up needs, on this platform their password; nil where they will not give it.
    /// Without it nobody can be verified by a step's default.
    public var userVerification: (@Sendable (_ request: UserVerificationRequest) async -> Secret?)?

    /// An app without quick actions.
    public init(profiles: ProfileDirectory) { self.profiles = profiles }

    /// The quick actions that have a title: what an app registers with the system, each with its identifier.
    public var quickActions: [QuickAction] {
        let titles = [
            (QuickAction.Kind.approve, approveActionTitle), (.deny, denyActionTitle),
            (.userVerification, userVerificationActionTitle),
        ]
        return titles.compactMap { kind, title in title.map { QuickAction(kind: kind, title: $0) } }
    }
}

/// One of the choices that a notification shows before the app is opened.
public struct QuickAction: Sendable, Hashable {
    /// What it means.
    public enum Kind: String, Sendable, CaseIterable {
        /// Approve.
        case approve = "countersign.approve"
        /// Deny.
        case deny = "countersign.deny"
        /// Approve, and be verified.
        case userVerification = "countersign.user-verification"
    }

    /// What it means.
    public let kind: Kind
    /// What a person reads.
    public let title: String

    /// What the system gives back when a person has chosen it.
    public var identifier: String { kind.rawValue }
}

/// What somebody is to be verified for.
public struct UserVerificationRequest: Sendable {
    /// Who.
    public let user: String
    /// Exactly what will be signed.
    public let payload: String
    /// Why.
    public let reason: String
    /// How many answers may still be wrong.
    public let attemptsLeft: Int?
}
