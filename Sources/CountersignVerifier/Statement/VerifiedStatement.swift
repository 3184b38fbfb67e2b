public import CountersignKeys

/// A statement that was verified. Only the verifier makes one, so what it says may be shown as signed.
public struct VerifiedStatement: Sendable {
    /// What was signed.
    public let claims: Claims
    /// The thumbprint of the key that signed.
    public let keyID: String
    /// The algorithm of the key that signed.
    public let algorithm: KeyAlgorithm

    init(_ statement: UnverifiedStatement) {
        claims = statement.claims
        keyID = statement.keyID
        algorithm = statement.algorithm
    }
}
