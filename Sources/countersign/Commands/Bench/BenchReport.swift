/// What a run found, for people.
struct BenchReport {
    let machine: Machine
    let run: BenchRun
    /// The kind of file system that stores were on; nil where there was none.
    let fileSystem: String?

    /// The table, with all that is needed to compare it with another.
    var text: String {
        var text = "countersign \(machine.version), \(machine.library)\n"
        text +=
            "\(machine.processor), \(Figures.counted(machine.cores, "core")), \(Timestamp.text(milliseconds: machine.time))\n"
        if let fileSystem { text += "stores in \(TerminalText.line(run.plan.directory)), \(fileSystem)\(warning)\n" }
        if !run.rows.isEmpty {
            text +=
                "\n"
                + Table.text(
                    [["work", "algorithm", "cores", "a second", "beside", "of", "ratio"]] + run.rows.map(cells))
        }
        if let speed = run.speed { text += "\n" + speedText(speed) }
        let works = BenchWork.allCases.filter { work in
            run.rows.contains { $0.work == work } || work == .openssl && run.speed != nil
        }
        if !works.isEmpty {
            text += "\n" + Table.text(works.map { [$0.rawValue, $0.explanation] })
        }
        return text
    }

    private var warning: String { fileSystem == "tmpfs" ? ": memory, on which nothing is durable" : "" }

    private func cells(_ row: BenchRow) -> [String] {
        [
            row.work.rawValue, row.algorithm, String(row.cores), Figures.rate(row.rate),
            Figures.rate(row.referenceRate), row.reference.text, Figures.decimal(row.ratio, places: 2),
        ]
    }

    private func speedText(_ speed: OpenSSLSpeed) -> String {
        TerminalText.line(speed.version) + "\n"
            + Table.text(
                [["openssl speed", "algorithm", "sign", "verify"]]
                    + speed.rates.map { [$0.name, $0.algorithm, Figures.rate($0.sign), Figures.rate($0.verify)] })
    }
}
