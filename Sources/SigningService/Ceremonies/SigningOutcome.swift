package import CountersignVerifier
package import Signing

/// How a step of a signing ended, if it was not refused.
package enum SigningOutcome: Sendable {
    /// The person has to authenticate for exactly what the challenge shows; after a wrong answer, again.
    case challenged(Challenge)
    /// Signed, and on record.
    case signed(SignedResult)
    /// A batch was signed, and is on record: a result for each payload, in their order.
    case signedAll([SignedResult])

    /// A signing that was just completed.
    init(_ request: SigningRequest, _ results: [SignedResult]) throws {
        if request.batch != nil {
            self = .signedAll(results)
        } else {
            guard let result = results.first else { throw Refusal(.internalFault) }
            self = .signed(result)
        }
    }
}
