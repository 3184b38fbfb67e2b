internal import Signing
internal import Wire

/// Whose log-in a call is made with.
public struct AuthToken: Sendable, CustomStringConvertible, CustomReflectable {
    let text: String

    /// An access token: that of ``Account/accessToken()`` of the profile that the call is about. A service takes it together with that
    /// profile's key and with no other.
    public static func bearer(_ accessToken: String) -> AuthToken { AuthToken(text: accessToken) }

    /// Always the same.
    public var description: String { "AuthToken" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Which authenticator a device becomes.
public struct AuthenticatorConfig: Sendable {
    /// The service's URL.
    public let orgURL: String
    /// Who is logged in there: the name of the profile.
    public let oidcClientId: String

    /// A service, and a profile that is logged in there.
    public init(orgURL: String, oidcClientId: String) {
        self.orgURL = orgURL
        self.oidcClientId = oidcClientId
    }
}

/// What a device brings along.
public struct EnrollmentParameters: Sendable {
    /// What the push service gave the app at this launch: 1 to 256 bytes. Empty where the app could not register.
    public let deviceToken: [UInt8]

    /// A token of the push service.
    public init(deviceToken: [UInt8]) { self.deviceToken = deviceToken }
}

/// Why something about an enrolment or a challenge did not succeed.
public enum DeviceAuthenticatorError: Error, Sendable, CustomStringConvertible {
    /// The service refused: with 401 where the access token is missing or over, and where the device was removed; with 1730 where
    /// its enrolment was.
    case serverAPIError(ServiceRefusal)
    /// The service was not reached, or does not answer as one does.
    case service(ServiceError)
    /// The app has no push token: registering with the push service failed, or has not been done yet.
    case deviceTokenMissing
    /// It has our type and not the form.
    case challengeMalformed
    /// It does not come from the service that the device is enrolled at.
    case challengeUntrusted
    /// It is over.
    case challengeExpired
    /// It was made at a time that is yet to come: a clock is wrong.
    case challengeEarly

    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .serverAPIError(let refusal): refusal.text
        case .service(let error): error.description
        case .deviceTokenMissing: "the app is not registered with its push service"
        case .challengeMalformed: "the challenge is malformed"
        case .challengeUntrusted: "the challenge is not one of the service that this device is enrolled at"
        case .challengeExpired: "the challenge is over"
        case .challengeEarly: "the challenge was made at a time that is yet to come"
        }
    }

    /// Whether a new log-in may help: the access token is missing or invalid. Where the device was removed, the log-in is refused too.
    public var needsSignIn: Bool {
        switch self {
        case .serverAPIError(let refusal): ServiceError.refused(refusal).needsLogIn
        default: false
        }
    }

    /// The same, of a call that failed.
    init(_ error: ServiceError) {
        switch error {
        case .refused(let refusal): self = .serverAPIError(refusal)
        default: self = .service(error)
        }
    }

    /// A refusal that is decided on this side.
    init(_ refusal: Refusal) { self = .serverAPIError(ServiceRefusal(Problem(refusal))) }
}
