/// What the verifier says of a bundle: of the whole, and of each statement for itself.
public struct BundleVerdict: Sendable {
    /// What it says of the whole.
    public enum Outcome: Sendable {
        /// All statements are valid, belong together, and are enough.
        case valid(VerifiedBundle)
        /// It would not hold whatever else were known.
        case invalid(BundleFault)
        /// Nothing can be said, because nothing can be said of the statement in this place (from 1).
        case indeterminate(Int, IndeterminateReason)
    }

    /// The whole.
    public let outcome: Outcome
    /// Each statement's own verdict, in the order of the bundle; empty where it has not the form of one. A valid statement
    /// of a bundle that is not valid says what one person signed, and no more.
    public let statements: [Verdict]

    init(_ outcome: Outcome, statements: [Verdict] = []) {
        self.outcome = outcome
        self.statements = statements
    }

    /// `valid`, or the stable name of the reason.
    public var code: String {
        switch outcome {
        case .valid: "valid"
        case .invalid(let fault): fault.code
        case .indeterminate(_, let reason): reason.code
        }
    }
}
