package import CountersignVerifier
package import Signing

/// How a step of a signing ended, if it was not refused.
package enum SigningOutcome: Sendable {
    /// The person has to authenticate for exactly what the challenge shows; after a wrong answer, again.
    case challenged(Challenge)
    /// Signed, and on record.
    case signed(SignedResult)
}
