public import CountersignKeys

/// One thing that a verifier asks of a statement beyond its signature.
public protocol PolicyRule: Sendable {
    /// Why this statement does not do, or nil where it does.
    ///
    /// - Parameters:
    ///   - claims: what the statement says; its signature and its key were found good.
    ///   - algorithm: the algorithm of the key that signed.
    ///   - now: the verifier's time in seconds since 1970.
    func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason?
}
