/// An axis from 0, with ticks at round numbers.
struct BenchAxis {
    /// Where the ticks are, 0 and the end of the axis among them.
    let ticks: [Double]

    /// - Parameter largest: the largest value that must have its place.
    init(largest: Double) {
        let step = Self.step(atLeast: max(largest, 1e-3) / 5)
        let count = Int((max(largest, 1e-3) / step).rounded(.up))
        ticks = (0...max(1, count)).map { Double($0) * step }
    }

    /// Where a value lies, 0 to 1.
    func place(of value: Double) -> Double { value / (ticks.last ?? 1) }

    /// What is written at a tick.
    func label(_ tick: Double) -> String {
        let step = ticks.dropFirst().first ?? 1
        return Figures.decimal(tick, places: step >= 1 ? 0 : step >= 0.1 ? 1 : 3)
    }

    /// 1, 2 or 5 times a power of ten.
    private static func step(atLeast least: Double) -> Double {
        var power = 1e-6
        while power * 10 <= least { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least } ?? least
    }
}
