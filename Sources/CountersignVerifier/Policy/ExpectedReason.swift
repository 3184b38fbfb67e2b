public import CountersignKeys

/// The statement must have been signed for this reason.
public struct ExpectedReason: PolicyRule {
    /// The reason, compared by bytes.
    public let reason: String

    /// Asks for `reason`.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// `reasonDiffers`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        claims.reason.utf8.elementsEqual(reason.utf8) ? nil : .reasonDiffers
    }
}
