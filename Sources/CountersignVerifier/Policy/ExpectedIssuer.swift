public import CountersignKeys

/// The statement must come from this issuer (RFC 8725 section 3.8).
public struct ExpectedIssuer: PolicyRule {
    /// The issuer, compared by bytes.
    public let issuer: String

    /// Asks for `issuer`.
    public init(_ issuer: String) {
        self.issuer = issuer
    }

    /// `issuerDiffers`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        claims.issuer.utf8.elementsEqual(issuer.utf8) ? nil : .issuerDiffers
    }
}
