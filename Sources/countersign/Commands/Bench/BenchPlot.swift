/// The rates as bars: one panel for each kind of work, with an axis of its own from 0.
struct BenchPlot {
    private static let width = 820.0
    /// Where bars begin and where the axis ends.
    private static let (left, right) = (150.0, 670.0)
    private static let (barHeight, groupHeight) = (11.0, 32.0)

    private let report: BenchReport

    init(_ report: BenchReport) { self.report = report }

    /// The picture, which follows the reader's light or dark colours and fetches nothing.
    var svg: [UInt8] {
        var svg = SVGText()
        let machine = report.machine
        let title = "countersign \(machine.version) beside \(machine.library)"
        svg.write(title, x: 20, y: 28, class: "title")
        let date = Timestamp.text(milliseconds: machine.time)
        svg.write(
            "\(machine.processor), \(Figures.counted(machine.cores, "core")), \(date)", x: 20, y: 46, class: "note")
        legend(&svg, y: 66)
        var y = 100.0
        for work in BenchWork.allCases {
            let rows = report.run.rows.filter { $0.work == work }
            if !rows.isEmpty { y = panel(rows, work, from: y, &svg) }
        }
        return svg.document(width: Self.width, height: y, title: title, style: Self.style)
    }

    private func legend(_ svg: inout SVGText, y: Double) {
        bar("ours", x: 20, y: y - 9, width: 14, &svg)
        svg.write("Countersign; in brackets its rate as a part of the other's", x: 40, y: y, class: "label")
        bar("reference", x: 410, y: y - 9, width: 14, &svg)
        svg.write("OpenSSL's own calls, or argon2", x: 430, y: y, class: "label")
    }

    /// - Returns: where the next one begins.
    private func panel(_ rows: [BenchRow], _ work: BenchWork, from top: Double, _ svg: inout SVGText) -> Double {
        svg.write(work.rawValue, x: 20, y: top, class: "title")
        svg.write(work.explanation, x: 20, y: top + 16, class: "note")
        let first = top + 28
        let bottom = first + Self.groupHeight * Double(rows.count)
        let axis = BenchAxis(largest: rows.map { max($0.rate, $0.referenceRate) }.max() ?? 0)
        for tick in axis.ticks {
            let x = place(tick, axis)
            svg.line(from: (x, first - 4), to: (x, bottom), class: tick == 0 ? "axis" : "grid")
            svg.write(axis.label(tick), x: x, y: bottom + 14, class: "tick")
        }
        svg.line(from: (Self.left, bottom), to: (Self.right, bottom), class: "axis")
        svg.write("a second", x: (Self.left + Self.right) / 2, y: bottom + 30, class: "tick")
        for (index, row) in rows.enumerated() { group(row, axis, y: first + Self.groupHeight * Double(index), &svg) }
        return bottom + 60
    }

    private func group(_ row: BenchRow, _ axis: BenchAxis, y: Double, _ svg: inout SVGText) {
        let name = "\(row.algorithm), \(Figures.counted(row.cores, "core"))"
        svg.write(name, x: Self.left - 8, y: y + Self.barHeight + 4, class: "name")
        let (ours, other) = (place(row.rate, axis), place(row.referenceRate, axis))
        let rate = "\(Figures.rate(row.rate)) (\(Figures.decimal(row.ratio, places: 2)))"
        bar(
            "ours", x: Self.left, y: y + 2, width: ours - Self.left, title: "\(row.work.rawValue) \(name): \(rate)",
            &svg)
        svg.write(rate, x: ours + 5, y: y + 11, class: "value")
        let second = y + 2 + Self.barHeight
        let what = "\(row.reference.text): \(Figures.rate(row.referenceRate))"
        bar("reference", x: Self.left, y: second, width: other - Self.left, title: what, &svg)
        svg.write(Figures.rate(row.referenceRate), x: other + 5, y: second + 9, class: "value")
    }

    private func bar(
        _ name: String, x: Double, y: Double, width: Double, title: String? = nil, _ svg: inout SVGText
    ) {
        svg.element(
            "rect",
            [
                ("x", SVGText.number(x)), ("y", SVGText.number(y)), ("width", SVGText.number(max(0, width))),
                ("height", SVGText.number(Self.barHeight - 1)), ("class", name),
            ], title: title)
    }

    private func place(_ value: Double, _ axis: BenchAxis) -> Double {
        Self.left + (Self.right - Self.left) * axis.place(of: value)
    }

    private static let style = """
        svg { color-scheme: light dark; background: #ffffff; font: 12px system-ui, sans-serif; }
        text { fill: #1f2328; }
        .title { font-size: 15px; font-weight: 600; }
        .note, .tick, .value { fill: #59636e; font-size: 11px; }
        .name { text-anchor: end; }
        .tick { text-anchor: middle; }
        .ours { fill: #0969da; }
        .reference { fill: #afb8c1; }
        .axis { stroke: #59636e; }
        .grid { stroke: #d1d9e0; }
        @media (prefers-color-scheme: dark) {
        svg { background: #0d1117; }
        text { fill: #e6edf3; }
        .note, .tick, .value { fill: #9198a1; }
        .ours { fill: #4493f8; }
        .reference { fill: #656c76; }
        .axis { stroke: #9198a1; }
        .grid { stroke: #3d444d; }
        }

        """
}
