import CountersignKeys

/// What is to be measured, and for how long.
struct BenchPlan {
    var works = Set(BenchWork.allCases)
    var algorithms = KeyAlgorithm.allCases
    /// On how many cores, one after the other.
    var jobs: [Int]
    /// How long for each line.
    var seconds = 1.0
    /// Where the throw-away store lies.
    var directory: String

    /// Everything that is to be measured beside something else.
    fileprivate var steps: [Step] {
        BenchWork.allCases.filter(works.contains).flatMap { work -> [Step] in
            switch work {
            case .sign, .verify, .bulk:
                algorithms.flatMap { algorithm in jobs.map { Step(work: work, algorithm: algorithm, jobs: $0) } }
            // The signature is the least part of it.
            case .stepUp: jobs.map { Step(work: work, algorithm: algorithms.first ?? .es256, jobs: $0) }
            case .durable: algorithms.map { Step(work: work, algorithm: $0, jobs: WorkerThread.processorCount) }
            case .openssl: []
            }
        }
    }

    fileprivate struct Step {
        let work: BenchWork
        let algorithm: KeyAlgorithm
        let jobs: Int

        var text: String { "\(work.rawValue) \(algorithm.rawValue), \(Figures.counted(jobs, "core"))" }
    }
}

/// One run of `bench`: line after line, until all are measured or a signal ends it.
struct BenchRun {
    /// How many ask a store at the same time to sign at level 0.
    static let callers = 64
    /// How many ask for step-ups, for each thread that hashes: while one is hashed, others are on their way to the disk.
    private static let callersPerHash = 4

    let plan: BenchPlan
    private(set) var rows: [BenchRow] = []
    private(set) var speed: OpenSSLSpeed?
    /// The signal that ended it early.
    private(set) var signal: Int32?
    private var keys: [KeyAlgorithm: BenchKey] = [:]

    init(_ plan: BenchPlan) { self.plan = plan }

    mutating func perform() throws {
        _ = Signals.hold(Signals.ending)
        var line = StatusLine()
        let steps = plan.steps
        let count = steps.count + (plan.works.contains(.openssl) ? 1 : 0)
        defer {
            line.clear()
            signal = Signals.release(Signals.ending) ?? signal
        }
        let interruption = Interruption()
        for (index, step) in steps.enumerated() where !interruption.isOver() {
            line.show("\(index + 1) of \(count): \(step.text)")
            if let row = try measure(step, interruption) { rows.append(row) }
        }
        if plan.works.contains(.openssl), !interruption.isOver() {
            line.show("\(count) of \(count): openssl speed")
            speed = OpenSSLSpeed(plan.algorithms, seconds: plan.seconds, isOver: interruption.isOver)
        }
        signal = interruption.signal
    }

    private mutating func measure(_ step: BenchPlan.Step, _ interruption: Interruption) throws -> BenchRow? {
        switch step.work {
        case .sign:
            let key = try key(step.algorithm)
            return try measure(
                step, Crew(threads: step.jobs) { try StatementSigning(key) },
                Crew(threads: step.jobs) { try PlainSigning(key) }, interruption)
        case .verify:
            let key = try key(step.algorithm)
            return try measure(
                step, Crew(threads: step.jobs) { StatementVerifying(key) },
                Crew(threads: step.jobs) { try PlainVerifying(key) }, interruption)
        case .bulk:
            let key = try key(step.algorithm)
            return try measure(
                step, Crew(threads: step.jobs) { try LineVerifying(key) },
                Crew(threads: step.jobs) { try PlainVerifying(key) }, interruption)
        case .stepUp:
            return try withStore(step.algorithm, hashingThreads: step.jobs) { store in
                let side = try StoreSide.stepUps(store, callers: Self.callersPerHash * step.jobs)
                let hashing = try Crew(threads: step.jobs, by: .wall) { PlainHashing() }
                let rounds = try rounds(step, side, hashing, slice: plan.seconds / 2, interruption)
                try store.check(count: side.count)
                return row(step, rounds, beside: .init(kind: .argon2, cores: step.jobs), by: .wall)
            }
        case .durable:
            let key = try key(step.algorithm)
            return try withStore(step.algorithm) { store in
                let side = try StoreSide.durable(store, callers: Self.callers)
                let plain = try Crew(threads: 1, by: .wall) { try PlainSigning(key) }
                let rounds = try rounds(step, side, plain, slice: min(0.25, plan.seconds / 4), interruption)
                try store.check(count: side.count)
                return row(step, rounds, beside: .init(kind: .openssl, cores: 1), by: .wall)
            }
        case .openssl: return nil
        }
    }

    /// Two crews of the same size. Threads take a while to spread over the cores.
    private func measure(
        _ step: BenchPlan.Step, _ ours: Crew, _ reference: Crew, _ interruption: Interruption
    ) throws -> BenchRow? {
        let slice = min(step.jobs == 1 ? 0.012 : 0.06, plan.seconds / 4)
        let rounds = try rounds(step, ours, reference, slice: slice, interruption)
        return row(
            step, rounds, beside: .init(kind: .openssl, cores: step.jobs), by: step.jobs == 1 ? .cpu : .wall)
    }

    private func rounds(
        _ step: BenchPlan.Step, _ ours: any Side, _ reference: any Side, slice: Double, _ interruption: Interruption
    ) throws -> Rounds {
        try Rounds(ours, beside: reference, slice: slice, seconds: plan.seconds, isOver: interruption.isOver)
    }

    /// Nil where it was ended before it says something.
    private func row(
        _ step: BenchPlan.Step, _ rounds: Rounds, beside reference: BenchRow.Reference, by clock: BenchClock
    ) -> BenchRow? {
        guard rounds.areEnough else { return nil }
        return BenchRow(
            step.work, step.algorithm.rawValue, cores: step.jobs, beside: reference, by: clock, rounds)
    }

    /// One key for all lines of an algorithm.
    private mutating func key(_ algorithm: KeyAlgorithm) throws -> BenchKey {
        if let key = keys[algorithm] { return key }
        let key = try BenchKey(algorithm)
        keys[algorithm] = key
        return key
    }

    private func withStore<Result>(
        _ algorithm: KeyAlgorithm, hashingThreads: Int = 1, _ body: (BenchStore) throws -> Result
    ) throws -> Result {
        let store = try BenchStore(in: plan.directory, algorithm, hashingThreads: hashingThreads)
        defer { store.remove() }
        return try body(store)
    }
}

/// Whether a signal said that the run shall end.
final class Interruption {
    private(set) var signal: Int32?

    func isOver() -> Bool {
        signal = signal ?? Signals.taken()
        return signal != nil
    }
}
