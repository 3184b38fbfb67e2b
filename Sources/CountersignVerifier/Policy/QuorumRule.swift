public import CountersignKeys

/// How many persons must have signed the same. A statement is one person; several are a bundle (`docs/bundle.md`).
public enum QuorumRule: PolicyRule {
    /// As many as the statements themselves say that were needed. One without the claim needs no other.
    case asClaimed
    /// At least this many, and as many as the statements say.
    case atLeast(Int)
    /// Whatever the statements say: for whoever looks at them one by one and counts elsewhere.
    case any

    /// The most persons that it makes sense to ask for: a bundle has no more statements.
    public static let maxPersons = 64

    /// `quorumNotMet` where one person is not enough, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        guard let needed = needed(claims.reserved.quorum), needed > 1 else { return nil }
        return .quorumNotMet(found: 1, needed: needed)
    }

    /// How many persons are needed where the statements say `claimed`; nil where nobody says it.
    func needed(_ claimed: Quorum?) -> Int? {
        switch self {
        case .asClaimed: claimed?.required
        case .atLeast(let number): max(1, number, claimed?.required ?? 1)
        case .any: 1
        }
    }
}
