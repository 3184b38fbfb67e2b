/// Who may use a route. Every route says it; what none says cannot be reached.
enum Access: Sendable, Equatable {
    /// Whose session it is.
    enum Role: String, Sendable, CaseIterable { case person, service, `operator` }

    /// Everybody.
    case everyone
    /// Loopback, and the addresses that may read the metrics.
    case observers
    /// Whoever proves a key, which thereby becomes known: no token yet (RFC 9449 section 5).
    case holdersOfKey
    /// Whoever has a grant of RFC 6749; a proof may come with it.
    case holdersOfGrant
    /// The live sessions of these.
    case sessions(Set<Role>)
}
