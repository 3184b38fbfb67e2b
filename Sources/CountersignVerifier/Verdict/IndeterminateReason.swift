/// Why nothing can be said of a statement: what is missing. `docs/statement.md` has the table.
public enum IndeterminateReason: Error, Sendable {
    /// The trust has no key with this id.
    case unknownKey
    /// The trust has the key, but it had to be skipped: weak, malformed, of another use.
    case unusableKey
    /// The key history has reached its `exp`, so a revocation may be missing.
    case historyExpired
    /// The key was compromised: `iat` itself cannot be believed (V19).
    case keyCompromised
}

extension IndeterminateReason: CustomStringConvertible {
    /// The stable name, as in `docs/statement.md`.
    public var code: String {
        switch self {
        case .unknownKey: "unknown-key"
        case .unusableKey: "unusable-key"
        case .historyExpired: "history-expired"
        case .keyCompromised: "key-compromised"
        }
    }

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unknownKey: "its key is not among the trusted ones"
        case .unusableKey: "its key is in the trust file but cannot be used"
        case .historyExpired: "the key history has expired; get a newer one"
        case .keyCompromised: "its key was compromised, and nothing proves when this was signed"
        }
    }
}
