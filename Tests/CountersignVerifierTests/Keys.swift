import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

/// Keys that are made once for the whole run: no test needs a fixed one.
enum Keys {
    /// What the trust of most tests holds, one of each algorithm.
    static func trusted(_ algorithm: KeyAlgorithm) throws -> PrivateKey { try #require(sets.trusted[algorithm]) }

    /// Others of the same algorithms, which nobody trusts.
    static func stranger(_ algorithm: KeyAlgorithm) throws -> PrivateKey { try #require(sets.strangers[algorithm]) }

    /// A key that signs key histories.
    static func root() throws -> PrivateKey { try stranger(.edDSA) }

    /// The trust of most tests.
    static let trust = TrustStore(keys: sets.trusted.values.map { TrustedKey(key: $0.publicKey) })

    private static let sets = (trusted: set(), strangers: set())

    private static func set() -> [KeyAlgorithm: PrivateKey] {
        var keys: [KeyAlgorithm: PrivateKey] = [:]
        for algorithm in KeyAlgorithm.allCases {
            keys[algorithm] = try? PrivateKey(generating: algorithm, rsaBits: 2048)
        }
        return keys
    }
}

extension PrivateKey {
    /// The key's thumbprint.
    var keyID: String { Thumbprint.sha256(of: publicKey) }

    /// The same RSA key for its other algorithm.
    func copy(for algorithm: KeyAlgorithm) throws -> PrivateKey {
        try der().withBytes { der in try PrivateKey(der: der, algorithm: algorithm) }
    }
}

/// A sequence of numbers that is the same in every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
