/// A "no" of the service. The one catalogue of all of them, those of devices and notifications too.
///
/// The code is closed and decides everything that follows (exit code, HTTP status); the fact is for the person. Neither
/// says which factor failed, nor whether a user exists: those who ask to sign get `authenticationFailed` for an unknown,
/// locked or blocked user as for a wrong password.
package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was refused.
    package let code: Code
    /// The numbers behind it, where there are some.
    package let fact: Fact?

    /// A refusal of this kind, with the fact that goes with it.
    package init(_ code: Code, _ fact: Fact? = nil) {
        self.code = code
        self.fact = fact
    }

    /// The stable name in kebab case.
    package var name: String { code.name }

    /// What is wrong and what to do next, in one or two sentences; then the fact.
    package var text: String {
        guard let fact else { return code.text }
        return code.text + " " + fact.text
    }

    /// The status that a result carries beside the error, where there is one: 153 when no attempt is left (C09, O01).
    package var status: OperationStatus? {
        self == .exhausted ? .cancelled : nil
    }

    /// The code's number and the text.
    package var description: String { "\(code.rawValue) \(text)" }

    /// The end of a ceremony whose attempts are used up; blocked, locked and unknown users see the same.
    package static let exhausted = Refusal(.authenticationFailed, .attemptsLeft(0))
}

/// The status numbers that the source documents give to challenges and results.
package enum OperationStatus: Int, Sendable, Hashable, CaseIterable {
    /// A first challenge, or a signature (S19, S30). Never 0 (C13).
    case success = 100
    /// A challenge that is asked again after a wrong answer (S31, C09).
    case authenticationFailed = 102
    /// A result without a signature because no attempt is left.
    case cancelled = 153
}
