internal import CountersignJOSE
package import Wire

/// What is asked of statements beyond their signatures. Without settings, the strictest that makes sense.
public struct VerificationPolicy: Sendable {
    /// The lowest level that will do: 0, 1 or 4; nil: 1.
    public var minimumLevel: Int?
    /// Who must have issued it.
    public var issuer: String?
    /// For whom it must be meant.
    public var audience: String?
    /// Whether it will do for whomever it is meant.
    public var anyAudience = false
    /// How the person must have authenticated: `pwd`, `idv`, ...
    public var requiredMethods: [String]?
    /// For what reason it must have been signed.
    public var reason: String?
    /// What must have been signed.
    public var payload: String?
    /// How old it may be, in seconds.
    public var maximumAge: Int64?
    /// Whether identities that only a test provider verified count.
    public var allowsTestIDV = false
    /// Whether one of several statements that are needed together will do.
    public var anyQuorum = false

    /// The strictest.
    public init() {}

    var message: PolicyMessage {
        var message = PolicyMessage()
        message.minLevel = minimumLevel
        message.issuer = issuer
        message.audience = audience
        if anyAudience { message.anyAudience = true }
        message.requiredMethods = requiredMethods
        message.reason = reason
        message.payload = payload
        message.maxAge = maximumAge
        if allowsTestIDV { message.allowTestIDV = true }
        if anyQuorum { message.anyQuorum = true }
        return message
    }
}

/// A service's verdict on a statement.
public struct ServiceVerdict: Sendable {
    /// The message it came in.
    package let message: VerdictMessage

    /// A verdict that came.
    package init(_ message: VerdictMessage) { self.message = message }

    /// Whether it is valid.
    public var isValid: Bool { message.verdict == "valid" }
    /// Whether something is missing, so that nothing can be said.
    public var isIndeterminate: Bool { message.verdict == "indeterminate" }
    /// The stable name of the reason, where it is not valid.
    public var reason: String? { message.reason }
    /// The reason in a sentence.
    public var text: String? { message.message }
    /// The key that signed, where it is valid.
    public var keyID: String? { message.kid }
    /// Its algorithm.
    public var algorithm: String? { message.algorithm }
    /// What was signed, as JSON, where it is valid.
    public var claims: [UInt8]? { message.claims.map { JSON.object($0).canonical() } }
}
