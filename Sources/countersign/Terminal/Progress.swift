import Glibc

/// One line on a terminal that says how far the work is. Silent where standard error is no terminal.
struct Progress {
    private let isShown: Bool
    private let start = WallClock.monotonic
    private var isOnScreen = false

    /// - Parameter isShown: false where the result scrolls over the same terminal.
    init(isShown: Bool) { self.isShown = isShown && Diagnosis.isTerminal }

    /// Shows a count and its rate.
    mutating func show(_ count: Int, of what: String) {
        guard isShown else { return }
        isOnScreen = true
        Diagnosis.write("\r\u{1B}[K\(Figures.grouped(count)) \(what), \(rate(count))")
    }

    /// Takes the line away again.
    mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        Diagnosis.write("\r\u{1B}[K")
    }

    /// How many a second so far.
    func rate(_ count: Int) -> String {
        "\(Figures.grouped(Int(Double(count) / max(0.001, seconds))))/s"
    }

    /// Since the work began.
    var seconds: Double { WallClock.monotonic - start }
}
