import Foundation
import ServiceSubjects

/// What the password's hash alone allows: libargon2's own call with the parameters of the store, in as many threads as the service hashes
/// with, which stand back for others as far as its threads do.
enum HashLimit {
    /// How many threads the service hashes with unless it is told otherwise.
    static var threads: Int { max(1, ProcessInfo.processInfo.activeProcessorCount / 2) }

    /// - Returns: hashes a second.
    static func rate(seconds: Double) throws -> Double {
        let begin = Load.now
        let end = begin + UInt64(seconds * 1e9)
        let running = (0..<threads).map { _ in
            Beside {
                // The thread's own, on Linux.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Int32(SubjectHash.niceness))
                var count = 0
                while Load.now < end {
                    try SubjectHash.compute()
                    count += 1
                }
                return count
            }
        }
        let count = try running.reduce(0) { try $0 + $1.get() }
        return Double(count) / (Double(Load.now - begin) / 1e9)
    }

    /// Step-ups at full load beside it, in turns.
    static func compare(_ stepUps: StepUps, rounds: Int, seconds: Double) throws {
        ServiceRun.title(
            "Step-ups by password at full load, beside the hash alone in \(threads) thread(s): \(rounds) rounds in turn"
        )
        _ = try stepUps.rate(seconds: 1)
        var rates: [(ours: Double, limit: Double)] = []
        for round in 0..<rounds {
            let first = round.isMultiple(of: 2) ? try stepUps.rate(seconds: seconds) : nil
            let limit = try rate(seconds: seconds)
            rates.append((try first ?? stepUps.rate(seconds: seconds), limit))
        }
        let ratio = Side.median(rates.map { $0.ours / $0.limit })
        say(
            String(
                format: "%.1f step-ups a second, %.1f hashes a second: %.2f", Side.median(rates.map(\.ours)),
                Side.median(rates.map(\.limit)), ratio))
    }
}
