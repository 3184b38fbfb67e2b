import Benchmark
import BenchmarkSubjects
import CTwin
import Foundation

/// Two sides measured in turn, in one process, many short rounds: what else the machine does falls on both, and the median
/// of the rounds' ratios is not moved by the rounds that it hit.
final class Comparison {
    /// What time is taken.
    enum Clock {
        /// CPU time of the process: for work of one thread, what others do on the machine does not count.
        case cpu
        /// Time on the wall: for work of several threads. What others do can only add to it, so the fastest tenth of the
        /// rounds counts.
        case wall

        /// Nanoseconds since some moment.
        var now: UInt64 {
            switch self {
            case .cpu: twin_cpu_time()
            case .wall: DispatchTime.now().uptimeNanoseconds
            }
        }
    }

    /// How long one side works in a round, in nanoseconds; threads take a while to spread over the cores.
    private var roundTime: UInt64 { clock == .cpu ? 12_000_000 : 60_000_000 }

    let name: String
    private let clock: Clock
    private let goal: Double?
    private let limit: String
    private let make: () async throws -> (ours: Side, other: Side?)
    private var sides: (ours: Side, other: Side?)?
    private var count = 1
    private var rounds: [(ours: Double, other: Double)] = []

    /// - Parameters:
    ///   - goal: the least ratio, where there is one.
    ///   - limit: what the other side is.
    ///   - make: makes both sides; called once, in the process that measures them.
    init(
        _ name: String, goal: Double? = nil, beside limit: String = "EVP", clock: Clock = .cpu,
        make: @escaping () async throws -> (ours: Side, other: Side?)
    ) {
        self.name = name
        self.goal = goal
        self.limit = limit
        self.clock = clock
        self.make = make
    }

    /// Makes the sides and finds how often a round repeats them.
    func prepare() async throws {
        let sides = try await make()
        self.sides = sides
        var time: UInt64 = 0
        while true {
            time = try await measure(sides.ours)
            if time >= roundTime / 2 { break }
            count *= 2
        }
        count = max(2, count * Int(roundTime) / Int(time) / 2 * 2)
        if let other = sides.other { _ = try await measure(other) }
    }

    /// One round: both sides, the first one first in every other round.
    func round(_ benchmark: Benchmark) async throws {
        guard let (ours, other) = sides else { throw Failure("\(name) was not prepared") }
        var times = (ours: 0.0, other: 0.0)
        if rounds.count.isMultiple(of: 2), let other { times.other = Double(try await measure(other)) }
        times.ours = Double(try await measure(ours))
        if !rounds.count.isMultiple(of: 2), let other { times.other = Double(try await measure(other)) }
        rounds.append(times)
        benchmark.measurement(.ours, Int(times.ours) / count)
        guard other != nil else { return }
        benchmark.measurement(.other, Int(times.other) / count)
        benchmark.measurement(.ratio, Int(1000 * times.other / times.ours))
    }

    private func measure(_ side: Side) async throws -> UInt64 {
        let start = clock.now
        let results = try await side.run(count)
        let time = clock.now - start
        try side.check(results, count)
        return time
    }

    /// Adds a line to the file that `scripts/bench` prints as a table.
    func report() throws {
        guard let path = ProcessInfo.processInfo.environment["COUNTERSIGN_BENCH_RATIOS"], !rounds.isEmpty,
            let file = FileHandle(forUpdatingAtPath: path)
        else { return }
        let ours = typical(rounds.map(\.ours)) / Double(count)
        let other = typical(rounds.map(\.other)) / Double(count)
        let ratio = clock == .cpu ? typical(rounds.map { $0.other / $0.ours }) : other / ours
        let hasOther = sides?.other != nil
        let columns = [
            name, Self.rate(ours), hasOther ? Self.rate(other) : "-", hasOther ? limit : "-",
            hasOther ? String(format: "%.2f", ratio) : "-", goal.map { String(format: "%.2f", $0) } ?? "-",
            goal.map { ratio >= $0 ? "yes" : "NO" } ?? "-",
        ]
        try file.seekToEnd()
        try file.write(contentsOf: Data((columns.joined(separator: "\t") + "\n").utf8))
        try file.close()
    }

    private func typical(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        switch clock {
        case .cpu: return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
        case .wall: return sorted[sorted.count / 10]
        }
    }

    private static func rate(_ nanoseconds: Double) -> String {
        String(format: nanoseconds > 10_000_000 ? "%.1f" : "%.0f", 1e9 / nanoseconds)
    }
}

extension BenchmarkMetric {
    /// Nanoseconds that one operation of ours takes.
    static let ours = BenchmarkMetric.custom("ours (ns)", polarity: .prefersSmaller, useScalingFactor: false)
    /// Nanoseconds that one operation of the other side takes.
    static let other = BenchmarkMetric.custom("other (ns)", polarity: .prefersSmaller, useScalingFactor: false)
    /// Our rate as a share of the other's, in thousandths.
    static let ratio = BenchmarkMetric.custom("ratio (1/1000)", polarity: .prefersLarger, useScalingFactor: false)
}
