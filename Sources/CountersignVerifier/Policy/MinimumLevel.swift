public import CountersignKeys

/// The level must be at least this.
public struct MinimumLevel: PolicyRule {
    /// The lowest level that will do.
    public let level: AuthLevel

    /// Asks for `level` at least.
    public init(_ level: AuthLevel) {
        self.level = level
    }

    /// `levelTooLow`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        claims.level.rawValue >= level.rawValue ? nil : .levelTooLow(claims.level, atLeast: level)
    }
}
