/// What can be measured, by the name that it has for `--only` and in JSON.
enum BenchWork: String, CaseIterable {
    case sign
    case verify
    case bulk
    case stepUp = "step-up"
    case durable
    case openssl

    /// What is done, and what stands beside it.
    var explanation: String {
        switch self {
        case .sign: "a statement from its claims to its text, beside OpenSSL's signature alone"
        case .verify: "a statement to its verdict, one at a time, beside OpenSSL's verification of the signature alone"
        case .bulk: "lines of statements of one key, as verify takes them from a file, beside the same"
        case .stepUp: "a signing with its password, from request to record, beside the password's hash alone"
        case .durable:
            "a signature at level 0 with all its rows on disk, \(BenchRun.callers) callers, beside one signature of OpenSSL's after another"
        case .openssl: "what the command openssl says of itself, one process, not in turns with the others"
        }
    }
}

/// One line of the table.
struct BenchRow {
    let work: BenchWork
    let algorithm: String
    /// On how many cores at most.
    let cores: Int
    /// What stands beside it.
    let reference: Reference
    /// A second: medians of the rounds.
    let rate: Double
    let referenceRate: Double
    /// Of each round, our rate as a part of the other's.
    let ratios: [Double]
    let clock: BenchClock
    /// How many results of ours were counted, each of them verified.
    let count: Int

    /// The median of the ratios.
    var ratio: Double { Rounds.median(ratios) }

    struct Reference {
        enum Kind: String { case openssl = "OpenSSL", argon2 }

        let kind: Kind
        let cores: Int

        var text: String { "\(kind.rawValue), \(Figures.counted(cores, "core"))" }
    }

    init(
        _ work: BenchWork, _ algorithm: String, cores: Int, beside reference: Reference, by clock: BenchClock,
        _ rounds: Rounds
    ) {
        self.work = work
        self.algorithm = algorithm
        self.cores = cores
        self.reference = reference
        self.clock = clock
        rate = Rounds.median(rounds.ours.map(\.rate))
        referenceRate = Rounds.median(rounds.reference.map(\.rate))
        ratios = rounds.ratios
        count = rounds.ours.reduce(0) { $0 + $1.count }
    }
}
