package import CountersignKeys

/// What a verifier asks of a statement beyond its signature.
///
/// The policy without settings is the strictest that makes sense without knowing the use: level 1 at least, not dated
/// in the future, no test of identity, no statement that is meant for somebody in particular, and none that needs others. Rules are checked in
/// the order of the table in `docs/statement.md`, whatever the order in which they were given.
public struct Policy: Sendable {
    /// The lowest level that will do.
    public var level = MinimumLevel(.one)
    /// How far a statement's time may lie ahead.
    public var future = FutureLimit(seconds: 60)
    /// Whether test providers of identity count.
    public var testIDV = TestIDVRule.refused
    /// Which audiences are ours.
    public var audience = AudienceRule.none
    /// How many persons must have signed the same.
    public var quorum = QuorumRule.asClaimed
    /// What else is asked, in any number.
    public var rules: [any PolicyRule] = []

    /// The strictest policy.
    public init() {}

    /// The first failure in the order of the table, or nil.
    ///
    /// - Parameters:
    ///   - isAlone: false for one of a bundle, whose number is looked at when all are known.
    ///   - issuer: whose keys they are that are trusted, where that is known.
    package func failure(
        of claims: Claims, algorithm: KeyAlgorithm, at now: Int64, isAlone: Bool = true, issuer: String? = nil
    ) -> InvalidReason? {
        if let failure = level.failure(of: claims, algorithm: algorithm, at: now)
            ?? future.failure(of: claims, algorithm: algorithm, at: now)
            ?? testIDV.failure(of: claims, algorithm: algorithm, at: now)
            ?? audience.failure(of: claims, algorithm: algorithm, at: now)
            ?? (isAlone ? quorum.failure(of: claims, algorithm: algorithm, at: now) : nil)
            ?? issuer.flatMap({ ExpectedIssuer($0).failure(of: claims, algorithm: algorithm, at: now) })
        {
            return failure
        }
        guard !rules.isEmpty else { return nil }
        return rules.compactMap { $0.failure(of: claims, algorithm: algorithm, at: now) }
            .min { $0.policyRank < $1.policyRank }
    }
}

extension InvalidReason {
    /// The place of a policy failure in the table of `docs/statement.md`; rules of one's own come last.
    fileprivate var policyRank: Int {
        switch self {
        case .levelTooLow: 0
        case .issuedInFuture: 1
        case .testIDV: 2
        case .audienceNotExpected, .audienceMissing, .audienceDiffers: 3
        case .quorumNotMet: 4
        case .issuerDiffers: 5
        case .algorithmNotAllowed: 6
        case .methodMissing: 7
        case .reasonDiffers: 8
        case .payloadDiffers: 9
        case .fileDiffers: 10
        case .tooOld: 11
        default: 12
        }
    }
}
