/// Says on a terminal how far the work is, how fast it goes and what is left of it.
struct Progress {
    private var line: StatusLine
    private let startCount: Int
    private let startOffset: Int
    private let size: Int?
    private let start = WallClock.monotonic

    /// - Parameters:
    ///   - isShown: false where the result scrolls over the same terminal.
    ///   - first: how much was done before, counted and in bytes.
    ///   - size: all bytes that there are to be done; nil where nobody knows.
    init(isShown: Bool, from first: (count: Int, offset: Int) = (0, 0), to size: Int? = nil) {
        line = StatusLine(isShown: isShown)
        startCount = first.count
        startOffset = first.offset
        self.size = size
    }

    /// Shows a count and its rate; where the size is known, also how much of it is done and how long the rest will take.
    mutating func show(_ count: Int, of what: String, at offset: Int = 0) {
        line.show("\(Figures.grouped(count)) \(what), \(rate(count))\(outlook(offset))")
    }

    /// Takes the line away again.
    mutating func clear() { line.clear() }

    /// How many a second so far.
    private func rate(_ count: Int) -> String {
        "\(Figures.grouped(Int(Double(count - startCount) / max(0.001, seconds))))/s"
    }

    private func outlook(_ offset: Int) -> String {
        guard let size, size > 0 else { return "" }
        let share = ", \(Int(100 * Double(min(offset, size)) / Double(size))) %"
        guard offset > startOffset, offset <= size else { return share }
        let left = seconds * Double(size - offset) / Double(offset - startOffset)
        return "\(share), \(Figures.duration(seconds: left)) left"
    }

    /// Since the work began.
    private var seconds: Double { WallClock.monotonic - start }
}
