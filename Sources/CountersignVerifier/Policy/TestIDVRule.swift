public import CountersignKeys

/// Whether an identity that only a test provider verified counts.
public enum TestIDVRule: PolicyRule {
    /// It does not.
    case refused
    /// It does: in tests.
    case allowed

    /// `testIDV`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        self == .refused && claims.methods.contains(.idvTest) ? .testIDV : nil
    }
}
