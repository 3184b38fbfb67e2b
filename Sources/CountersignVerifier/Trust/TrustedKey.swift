public import CountersignKeys

/// A key that a verifier trusts, and when it was in use.
public struct TrustedKey: Sendable {
    /// A revocation.
    public struct Revocation: Sendable, Hashable {
        /// Why a key was revoked.
        public enum Reason: String, Sendable, CaseIterable {
            /// Replaced: what it signed before holds.
            case superseded
            /// Somebody else may have it: nothing that it signed proves when.
            case compromised
        }

        /// When, in seconds since 1970.
        public let at: Int64
        /// Why.
        public let reason: Reason

        /// A revocation at a time, for a reason.
        package init(at: Int64, reason: Reason) {
            self.at = at
            self.reason = reason
        }
    }

    /// The key.
    public let key: PublicKey
    /// From when it signed, seconds since 1970; nil: since for ever.
    public let notBefore: Int64?
    /// When it was retired, seconds since 1970; nil: it is in use.
    public let notAfter: Int64?
    /// Whether and why it was revoked.
    public let revocation: Revocation?

    /// A key with its times.
    package init(
        key: PublicKey, notBefore: Int64? = nil, notAfter: Int64? = nil, revocation: Revocation? = nil
    ) {
        self.key = key
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.revocation = revocation
    }

    /// Why a statement that says it was signed at `issuedAt` does not hold, or nil (`docs/key-history.md`).
    func objection(at issuedAt: Int64) -> KeyObjection? {
        if revocation?.reason == .compromised { return .indeterminate(.keyCompromised) }
        if let notBefore, issuedAt < notBefore { return .invalid(.keyNotYetActive) }
        if let revocation, issuedAt > revocation.at { return .invalid(.keySuperseded) }
        if let notAfter, issuedAt > notAfter { return .invalid(.keyRetired) }
        return nil
    }
}

/// What the state of a key says against a statement.
enum KeyObjection: Error {
    case invalid(InvalidReason)
    case indeterminate(IndeterminateReason)

    /// What becomes of the statement.
    var verdict: Verdict {
        switch self {
        case .invalid(let reason): .invalid(reason)
        case .indeterminate(let reason): .indeterminate(reason)
        }
    }
}
