public import CountersignKeys

/// The statement must not be dated in the future, but for what clocks may differ.
public struct FutureLimit: PolicyRule {
    /// How many seconds `iat` may lie ahead.
    public let seconds: Int64

    /// Allows `seconds` of difference between clocks, at least 0.
    public init(seconds: Int64) {
        self.seconds = max(0, seconds)
    }

    /// `issuedInFuture`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        let (limit, overflow) = now.addingReportingOverflow(seconds)
        return overflow || claims.issuedAt <= limit ? nil : .issuedInFuture
    }
}
