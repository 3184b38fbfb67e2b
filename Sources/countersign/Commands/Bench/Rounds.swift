/// Two sides measured in turn, in many short rounds: what else the machine does falls on both, and the median of the rounds' ratios is
/// not moved by the few that it hit.
struct Rounds {
    private(set) var ours: [Slice] = []
    private(set) var reference: [Slice] = []

    /// The fewest that say something.
    static let fewest = 3

    /// - Parameters:
    ///   - slice: how long a side works in a round, in seconds.
    ///   - seconds: how long both work together.
    ///   - isOver: asked before each slice; then no more rounds follow.
    init(
        _ ours: any Side, beside reference: any Side, slice: Double, seconds: Double, isOver: () -> Bool
    ) throws {
        // What is done in blocks may take longer for one of them; then the other side gets as long.
        guard let (ourCount, least) = try Self.count(of: ours, in: slice, isOver),
            let (referenceCount, _) = try Self.count(of: reference, in: max(slice, least), isOver)
        else { return }
        var spent = 0.0
        while self.ours.count < Self.fewest || spent < seconds {
            // Who goes first has the other's caches.
            let isFirst = self.ours.count.isMultiple(of: 2)
            guard !isOver() else { return }
            let first = try Self.measure(isFirst ? ours : reference, isFirst ? ourCount : referenceCount)
            guard !isOver() else { return }
            let second = try Self.measure(isFirst ? reference : ours, isFirst ? referenceCount : ourCount)
            self.ours.append(isFirst ? first : second)
            self.reference.append(isFirst ? second : first)
            spent += first.seconds + second.seconds
        }
    }

    /// Whether there are enough of them.
    var areEnough: Bool { ours.count >= Self.fewest }

    /// Our rate as a part of the other's, of each round.
    var ratios: [Double] { zip(ours, reference).map { $0.rate / $1.rate } }

    /// How often a side does its work in a slice, and how long that takes at least; nil where it is over before that is known.
    private static func count(
        of side: any Side, in slice: Double, _ isOver: () -> Bool
    ) throws -> (count: Int, seconds: Double)? {
        var count = 1
        while !isOver() {
            let tried = try measure(side, count)
            if tried.seconds >= slice / 2 { return (max(1, Int(tried.rate * slice)), tried.seconds) }
            count *= 2
        }
        return nil
    }

    private static func measure(_ side: any Side, _ count: Int) throws -> Slice {
        let slice = try side.run(count)
        try side.check()
        return slice
    }

    /// The middle one, or the mean of the two in the middle; 0 of none.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
    }
}
