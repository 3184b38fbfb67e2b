public import CountersignKeys

/// The statement must not be older than this.
public struct MaximumAge: PolicyRule {
    /// The greatest age in seconds.
    public let seconds: Int64

    /// Asks for an age of at most `seconds`, at least 0.
    public init(seconds: Int64) {
        self.seconds = max(0, seconds)
    }

    /// `tooOld`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        let (limit, overflow) = now.subtractingReportingOverflow(seconds)
        return overflow || claims.issuedAt >= limit ? nil : .tooOld
    }
}
