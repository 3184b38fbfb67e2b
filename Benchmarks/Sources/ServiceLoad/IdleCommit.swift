import Foundation
import Histogram
import ServiceSubjects

/// What group commit costs somebody who is alone: one caller signs at level 0, one signature after another, through the engine over three
/// stores in one directory, in turns. One commits as the service does; the others write the same rows in a plain transaction of SQLite's
/// for each signature: on the connection's thread, as the service does, and on the caller's own, which no event loop can spare.
enum IdleCommit {
    private static let rounds = 12
    private static let count = 200
    private static let ways: [(name: String, commits: SubjectStore.Commits)] = [
        ("group commit", .inGroups), ("a plain transaction for each, aside", .plainAside),
        ("a plain transaction for each, on the caller's thread", .plain),
    ]

    static func run(in directory: String) async throws {
        let paths = ways.map { _ in "\(directory)/countersign-idle-\(UUID().uuidString)" }
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        var stores: [SubjectStore] = []
        for (path, way) in zip(paths, ways) {
            try await SubjectStore.make(at: path).close()
            stores.append(try await SubjectStore(at: path, commits: way.commits))
        }
        let session = try SubjectSession()
        var all = stores.map { _ in
            Histogram<UInt64>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
        }
        var medians = [[Double]](repeating: [], count: stores.count)
        for store in stores { _ = try await times(store, session) }
        for round in 0..<rounds {
            for index in stores.indices.map({ ($0 + round) % stores.count }) {
                let times = try await times(stores[index], session)
                for time in times { all[index].record(max(1, UInt64(time))) }
                medians[index].append(Side.median(times))
            }
        }
        for store in stores { await store.close() }
        var table = LatencyTable("One caller alone, level 0 through the engine, from call to commit")
        for (way, latency) in zip(ways, all) { table.add(way.name, rate: 1e6 / latency.mean, latency) }
        table.print()
        for (way, others) in zip(ways, medians).dropFirst() {
            let ratio = Side.median(zip(medians[0], others).map { $0 / $1 })
            say(String(format: "\ngroup commit beside %@: %.2f, the median of the medians' ratios", way.name, ratio))
        }
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
