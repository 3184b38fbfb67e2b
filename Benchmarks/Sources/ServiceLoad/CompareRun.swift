import Foundation
import ServiceSubjects

/// Several daemons in short turns, each over a store of its own: which of two builds is faster, on a machine that does other work as well.
enum CompareRun {
    private static let rounds = 16
    private static let seconds = 0.5

    /// - Parameter daemons: paths, or `hello` and `recordless` for those of this program. The first is what the others are compared with.
    static func run(_ daemons: [String], in directory: String) async throws {
        var sides: [Side] = []
        var paths: [String] = []
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        for daemon in daemons {
            let path = "\(directory)/countersign-compare-\(UUID().uuidString)"
            let store = try await SubjectStore.make(at: path)
            paths.append(path)
            let (token, keySet) = (try await store.logInService(), try await store.keySet())
            await store.close()
            let process =
                switch daemon {
                case "hello": try ChildProcess(ServiceRun.executable, ["hello"])
                case "recordless": try ChildProcess(ServiceRun.executable, ["recordless", path])
                default: try ServiceRun.startDaemon(daemon, storeAt: path, port: ServiceRun.freePort())
                }
            sides.append(Side(daemon, process, token, keySet: daemon == "hello" ? nil : keySet))
        }
        for side in sides { try side.load(seconds: 1) }
        for side in sides { side.forget() }
        for round in 0..<rounds {
            for index in sides.indices { try sides[(index + round) % sides.count].load(seconds: seconds) }
        }
        say("| server | a second | its CPU, µs | the load's | of the first |")
        say("|---|---|---|---|---|")
        for side in sides { say(side.row(beside: [sides[0]])) }
        var latencies = LatencyTable(
            "Latency at half of the slowest one's full load, counted from when a request was due")
        let rate = (sides.map(\.rate).min() ?? 0) / 2
        for side in sides { latencies.add(side.name, try side.load(seconds: 5, rate: rate)) }
        latencies.print()
        for side in sides { side.process.stop() }
    }
}
