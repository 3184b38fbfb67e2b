import Foundation
import Histogram
import ServiceSubjects

/// What group commit costs somebody who is alone: one caller signs at level 0, one signature after another, through the engine over two
/// stores in one directory, in turns. One commits as the service does; the other writes the same rows in a plain transaction of SQLite's
/// for each signature, on the caller's own thread.
enum IdleCommit {
    private static let rounds = 10
    private static let count = 200

    static func run(in directory: String) async throws {
        let paths = ["group", "plain"].map { "\(directory)/countersign-\($0)-\(UUID().uuidString)" }
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        try await SubjectStore.make(at: paths[0]).close()
        try await SubjectStore.make(at: paths[1]).close()
        let stores = [try await SubjectStore(at: paths[0]), try await SubjectStore(at: paths[1], commits: .plain)]
        let session = try SubjectSession()
        var all = stores.map { _ in
            Histogram<UInt64>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
        }
        var ratios: [Double] = []
        for store in stores { _ = try await times(store, session) }
        for round in 0..<rounds {
            var medians = [0.0, 0.0]
            for index in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let times = try await times(stores[index], session)
                for time in times { all[index].record(max(1, UInt64(time))) }
                medians[index] = Side.median(times)
            }
            ratios.append(medians[0] / medians[1])
        }
        for store in stores { await store.close() }
        var table = LatencyTable("One caller alone, level 0 through the engine, from call to commit")
        for (name, latency) in zip(["group commit", "a plain transaction for each"], all) {
            table.add(name, rate: 1e6 / latency.mean, latency)
        }
        table.print()
        say(String(format: "\nThe medians' ratio within a round, of which the median: %.2f", Side.median(ratios)))
    }

    /// How long each took, in microseconds.
    private static func times(_ store: SubjectStore, _ session: SubjectSession) async throws -> [Double] {
        var times: [Double] = []
        for number in 0..<count {
            let begin = Load.now
            _ = try await store.sign(
                payload: Array(SigningRequests.payload(number).utf8), reason: Array("Invoice 17 of the spring".utf8),
                session: session)
            times.append(Double(Load.now - begin) / 1e3)
        }
        return times
    }
}
