/// How long things took, in buckets of Prometheus: each counts what took at most so long.
final class Histogram: Sendable {
    /// The upper bounds, in microseconds, and as Prometheus writes them in seconds.
    static let bounds: [(microseconds: Int64, text: String)] = [
        (250, "0.00025"), (500, "0.0005"), (1_000, "0.001"), (2_500, "0.0025"), (5_000, "0.005"), (10_000, "0.01"),
        (25_000, "0.025"), (50_000, "0.05"), (100_000, "0.1"), (250_000, "0.25"), (1_000_000, "1"), (5_000_000, "5"),
    ]

    private let buckets: [Counter] = (0...bounds.count).map { _ in Counter() }
    private let total = Counter()

    /// Counts something that took so many microseconds.
    func record(microseconds: Int64) {
        let index = Self.bounds.firstIndex { microseconds <= $0.microseconds } ?? Self.bounds.count
        buckets[index].add()
        total.add(Int(microseconds))
    }

    /// The lines of Prometheus' text format.
    func write(name: String, labels: String, to text: inout String) {
        var count = 0
        for (index, bound) in Self.bounds.enumerated() {
            count += buckets[index].value
            text += "\(name)_bucket{\(labels),le=\"\(bound.text)\"} \(count)\n"
        }
        count += buckets[Self.bounds.count].value
        text += "\(name)_bucket{\(labels),le=\"+Inf\"} \(count)\n"
        let (seconds, rest) = total.value.quotientAndRemainder(dividingBy: 1_000_000)
        let fraction = String(rest)
        text +=
            "\(name)_sum{\(labels)} \(seconds).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)\n"
        text += "\(name)_count{\(labels)} \(count)\n"
    }
}
