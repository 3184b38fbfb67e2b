public import CountersignKeys

/// The key must be of one of these algorithms.
public struct AllowedAlgorithms: PolicyRule {
    /// The algorithms that will do.
    public let algorithms: Set<KeyAlgorithm>

    /// Asks for one of `algorithms`; an empty set refuses every statement.
    public init(_ algorithms: Set<KeyAlgorithm>) {
        self.algorithms = algorithms
    }

    /// `algorithmNotAllowed`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        algorithms.contains(algorithm) ? nil : .algorithmNotAllowed(algorithm)
    }
}
