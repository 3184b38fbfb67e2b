public import CountersignKeys

/// The person must have authenticated by all of these methods.
public struct RequiredMethods: PolicyRule {
    /// The methods, in the order in which a lack is reported.
    public let methods: [AuthenticationMethod]

    /// Asks for all of `methods`.
    public init(_ methods: [AuthenticationMethod]) {
        self.methods = methods
    }

    /// `methodMissing` with the first that lacks, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        methods.first { !claims.methods.contains($0) }.map { .methodMissing($0) }
    }
}
