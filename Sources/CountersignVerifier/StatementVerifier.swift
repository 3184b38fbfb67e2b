/// Verifies statements, offline.
///
/// ```swift
/// let verifier = StatementVerifier(trust: try TrustStore(jwks))
/// switch verifier.verify(text, at: now) {
/// case .valid(let statement): print(statement.claims.payload)
/// case .invalid(let reason): print("invalid:", reason)
/// case .indeterminate(let reason): print("cannot tell:", reason)
/// }
/// ```
public struct StatementVerifier: Sendable {
    /// The keys.
    public let trust: TrustStore
    /// What is asked beyond the signature.
    public let policy: Policy
    /// What its sessions computed of the keys that sign most.
    let tables: KeyTables

    /// A verifier with the strictest policy, unless another is given.
    public init(trust: TrustStore, policy: Policy = Policy()) {
        self.init(trust: trust, policy: policy, tables: KeyTables())
    }

    /// A verifier whose tables are made by another rule.
    package init(trust: TrustStore, policy: Policy, tables: KeyTables) {
        self.trust = trust
        self.policy = policy
        self.tables = tables
    }

    /// Verifies a statement, or a JSON result that wraps one.
    ///
    /// - Parameters:
    ///   - text: the bytes, with at most one newline after a statement.
    ///   - now: the time in seconds since 1970.
    public func verify(_ text: [UInt8], at now: Int64) -> Verdict {
        VerificationSession(self).verify(text.span, at: now)
    }

    /// A session for verifying many statements, on one thread; it keeps OpenSSL's contexts and its buffers.
    public func makeSession() -> VerificationSession {
        VerificationSession(self)
    }
}
