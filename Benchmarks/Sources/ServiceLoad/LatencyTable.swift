import Foundation
import Histogram

/// Latencies, all of them: no request that was due is left out, and each is counted from when it was due.
struct LatencyTable {
    private let title: String
    private var rows: [String] = []
    private static let percentiles = [50, 90, 99, 99.9]

    init(_ title: String) { self.title = title }

    mutating func add(_ name: String, _ figures: Load.Figures) { add(name, rate: figures.rate, figures.latency) }

    /// - Parameter latency: in microseconds.
    mutating func add(_ name: String, rate: Double, _ latency: Histogram<UInt64>) {
        let values = Self.percentiles.map { latency.valueAtPercentile($0) } + [latency.max]
        let cells = values.map { String(format: "%.2f", Double($0) / 1000) }
        rows.append("| \(name) | \(Int(rate)) | \(cells.joined(separator: " | ")) |")
    }

    func print() {
        ServiceRun.title(title)
        say("| what | a second | p50 ms | p90 ms | p99 ms | p99.9 ms | max ms |")
        say("|---|---|---|---|---|---|---|")
        for row in rows { say(row) }
    }
}
