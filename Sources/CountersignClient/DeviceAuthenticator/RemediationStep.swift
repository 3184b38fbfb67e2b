internal import Synchronization

/// One thing that has to be done before a challenge is resolved. They come one after the other.
public protocol RemediationStep: Sendable {
    /// Lets the step be done in its own way: for steps that the app does not know, and for those that are not its affair.
    func defaultProcess() async
}

/// What a person says.
public enum UserConsentResponse: Sendable, Hashable, CaseIterable {
    /// Nothing, so that the question stays open.
    case none
    /// They began this, and want it.
    case approved
    /// They do not.
    case denied
}

/// A person has to consent. By default the quick action counts that they chose, where they did.
public final class RemediationStepUserConsent: RemediationStep {
    /// What is asked, in every language. Show all of it: where it is a request, ``NotificationRecord/request`` is what will be signed.
    public let notification: NotificationRecord
    private let quickResponse: UserConsentResponse
    private let given = Mutex<(response: UserConsentResponse, matchCode: String?)>((.none, nil))

    init(_ notification: NotificationRecord, quickResponse: UserConsentResponse) {
        self.notification = notification
        self.quickResponse = quickResponse
    }

    /// Whether an approval needs the two digits that are shown where this was asked.
    public var needsMatchCode: Bool { notification.match == .required }

    /// Gives the answer, which is sent when the app has processed the step. The first that is not `none` counts.
    ///
    /// - Parameter matchCode: for an approval that needs one.
    public func provide(_ response: UserConsentResponse, matchCode: String? = nil) {
        given.withLock { given in
            guard given.response == .none else { return }
            given = (response, matchCode)
        }
    }

    /// Gives the answer of the quick action.
    public func defaultProcess() async { provide(quickResponse) }

    /// What was given.
    var answer: (response: UserConsentResponse, matchCode: String?) { given.withLock { $0 } }
}

/// Something that the person should know, and that is no end by itself: nothing has to be done.
public struct RemediationStepMessage: RemediationStep {
    /// What it is about.
    public enum Subject: Sendable {
        /// The person cancelled their verification.
        case verificationCancelled
        /// The evidence was wrong; so many more may be.
        case verificationFailed(attemptsLeft: Int)
        /// The match code is missing or wrong; so many more may be wrong, where one was given.
        case matchCode(codesLeft: Int?)
        /// The profile's key is corrupt or missing.
        case keyCorruptOrMissing(String)
        /// The question was answered elsewhere, withdrawn, closed, or is over.
        case over
        /// There is nothing to answer here: a message to read.
        case notice(NotificationRecord)
    }

    /// What it is about.
    public let subject: Subject

    /// The message for a person, where the app has no better words.
    public var text: String {
        switch subject {
        case .verificationCancelled: "The verification was cancelled."
        case .verificationFailed(let left) where left <= 0: "The verification failed, and no attempt is left."
        case .verificationFailed(let left): "The verification failed. Attempts left: \(left)."
        case .matchCode(nil): "The match code is needed: the two digits that are shown where this was asked."
        case .matchCode(let left?) where left <= 0: "The match code is wrong, and the question is over."
        case .matchCode(let left?): "The match code is wrong. Codes left: \(left)."
        case .keyCorruptOrMissing(let text): "This device's key cannot be used: \(text)"
        case .over: "This question is not open any more."
        case .notice(let notification): notification.bodies.first?.message ?? ""
        }
    }

    /// Does nothing.
    public func defaultProcess() async {}
}

/// A person has to be verified. That is not the app's affair: by default it is done as ``ApplicationConfig/userVerification`` says.
public final class RemediationStepUserVerification: RemediationStep {
    /// What for.
    public let request: UserVerificationRequest
    private let verify: (@Sendable (UserVerificationRequest) async -> Secret?)?
    private let given = Mutex<Secret?>(nil)

    init(_ request: UserVerificationRequest, _ verify: (@Sendable (UserVerificationRequest) async -> Secret?)?) {
        self.request = request
        self.verify = verify
    }

    /// Verifies the person.
    public func defaultProcess() async {
        guard let secret = await verify?(request) else { return }
        given.withLock { $0 = secret }
    }

    /// The evidence; nil where the person cancelled, or nobody asked them.
    var evidence: Secret? { given.withLock { $0 } }
}

/// A step of a later version of the service, which this one does not know. Nothing is answered.
public struct RemediationStepUnknown: RemediationStep {
    /// What the challenge is about.
    public let matter: String

    /// Does nothing: an update of the app may know more.
    public func defaultProcess() async {}
}
