/// What the verifier says of a text.
public enum Verdict: Sendable {
    /// Signed by a trusted key in its time, and all that the policy asks.
    case valid(VerifiedStatement)
    /// Not a statement, not signed by its key, or not what the policy asks.
    case invalid(InvalidReason)
    /// Nothing can be said: something is missing.
    case indeterminate(IndeterminateReason)
}

extension Verdict {
    /// `valid`, or the stable name of the reason.
    public var code: String {
        switch self {
        case .valid: "valid"
        case .invalid(let reason): reason.code
        case .indeterminate(let reason): reason.code
        }
    }
}
