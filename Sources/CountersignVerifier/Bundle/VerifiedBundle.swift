/// A bundle that was verified: as many persons as are needed signed the same. Only the verifier makes one.
public struct VerifiedBundle: Sendable {
    /// The statements, in the order of their users. Issuer, audience, payload, reason, level, request and quorum are the
    /// same in all of them.
    public let statements: [VerifiedStatement]
    /// What the first of them says, for what is the same in all.
    public let shared: Claims
    /// How many persons were needed: what the statements say, or what the verifier asked for, whichever is more.
    public let needed: Int

    init(statements: [VerifiedStatement], shared: Claims, needed: Int) {
        self.statements = statements
        self.shared = shared
        self.needed = needed
    }
}
