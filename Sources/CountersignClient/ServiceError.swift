internal import CountersignKeys
internal import Outbound
package import Signing
package import Wire

/// Why a call to a service did not succeed.
public enum ServiceError: Error, Sendable, CustomStringConvertible {
    /// The service refused. Asking again the same way gives the same answer, but for what
    /// ``ServiceRefusal/retryAfter`` says.
    case refused(ServiceRefusal)
    /// The service cannot be reached, or not be trusted: nothing was sent, and nothing done.
    case unreachable(String)
    /// The service was asked and did not answer. A call that changes something may or may not have been carried out: what a
    /// signing led to can be asked for by its id.
    case unanswered(String)
    /// What answered is no such service, or a broken one.
    case protocolViolation(String)
    /// Something on this machine is wrong: the profile's files, a URL, a key.
    case local(String)
    /// The passcode is not that of the profile's key.
    case wrongPasscode
    /// The task was cancelled.
    case cancelled

    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.text
        case .unreachable(let text), .unanswered(let text), .protocolViolation(let text), .local(let text): text
        case .wrongPasscode: "the passcode is not the one of this key"
        case .cancelled: "cancelled"
        }
    }

    /// Whether what was asked for may have been done all the same.
    public var mayBeDone: Bool {
        switch self {
        case .refused(let refusal): refusal.status >= 500 || refusal.refusal?.code == .idempotencyRunning
        case .unanswered, .protocolViolation, .cancelled: true
        case .unreachable, .local, .wrongPasscode: false
        }
    }

    /// Whether a log-in is needed before anything else will do: the session has ended, or the log-in is too long ago.
    public var needsLogIn: Bool {
        guard case .refused(let refusal) = self else { return false }
        switch refusal.refusal?.code {
        case .tokenMissing, .tokenInvalid, .stepUpNeeded, .grantInvalid: return true
        default: return false
        }
    }
}

/// A "no" of the service, as its problem details say it (RFC 9457).
public struct ServiceRefusal: Sendable, CustomStringConvertible {
    private let problem: Problem

    /// A refusal that came.
    package init(_ problem: Problem) { self.problem = problem }

    /// The number: 102 authentication failed, 146 not allowed on this device, 153 cancelled, 214 method not supported, and those from
    /// 1000 on, which `docs/api.md` lists.
    public var code: Int { problem.code }
    /// The stable name in kebab case.
    public var name: String { problem.name }
    /// What is wrong and what to do next, for a person.
    public var text: String { problem.detail }
    /// The HTTP status.
    public var status: Int { problem.status }
    /// How many answers to the challenge may still be wrong.
    public var attemptsLeft: Int? { problem.attemptsLeft }
    /// 102 after a wrong answer, 153 where no attempt is left.
    public var statusCode: Int? { problem.statusCode }
    /// When to ask again, in seconds.
    public var retryAfter: Int? { problem.retryAfter }
    /// How old a log-in may be for this, in seconds (RFC 9470).
    public var maxAge: Int64? { problem.maxAge }
    /// When it will be allowed, milliseconds since 1970: with 146 the end of the cooling-off or of the probation.
    public var until: Int64? { problem.until }
    /// Which payload of a batch is meant, from 1.
    public var position: Int? { problem.position }
    /// The member of the request that is meant.
    public var member: String? { problem.member }
    /// The id of the request in the service's log.
    public var requestID: String? { problem.requestID }

    /// The refusal, where this version knows its number.
    package var refusal: Refusal? { problem.refusal }

    /// The number and the text.
    public var description: String { "\(code) \(text)" }
}

extension ServiceError {
    /// Whether there was no answer, whatever was sent.
    var isLost: Bool {
        switch self {
        case .unreachable, .unanswered: true
        default: false
        }
    }

    /// The same, where something may have been done before it.
    var unanswered: ServiceError {
        switch self {
        case .unreachable(let text): .unanswered(text)
        // The later question was refused, not the call itself.
        case .refused(let refusal) where [408, 429].contains(refusal.status): .unanswered(refusal.text)
        default: self
        }
    }

    /// There was no answer.
    ///
    /// - Parameter wasSent: Whether the request may have arrived, this time or before.
    init(_ error: OutboundError, wasSent: Bool) {
        let code = error.code
        switch code {
        case .unreachable, .connectionLost, .timedOut, .untrusted:
            let text = "the service cannot be \(code == .untrusted ? "trusted" : "reached"): \(error)"
            self = wasSent ? .unanswered(text) : .unreachable(text)
        case .protocolViolation, .tooLarge: self = .protocolViolation("the service's answer cannot be read: \(error)")
        case .requestInvalid, .refusedAddress: self = .local("\(error)")
        case .cancelled: self = .cancelled
        }
    }

    /// The crypto library failed, or a key cannot be used.
    init(_ error: KeyError) { self = error.code == .wrongPassphrase ? .wrongPasscode : .local(error.detail) }

    /// A refusal that is decided on this side.
    init(_ refusal: Refusal) { self = .refused(ServiceRefusal(Problem(refusal))) }
}
