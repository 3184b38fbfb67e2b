import CountersignVerifier

/// How inputs are read and verdicts printed.
struct VerificationMode {
    /// Each line for itself, even if there is only one.
    var lines = false
    var json = false
    /// The payload alone.
    var raw = false
    var quiet = false
    /// How many threads verify many; nil: one for each core.
    var jobs: Int?

    var style: VerdictFormat.Style { json ? .json : quiet ? .quiet : .text }
    var threads: Int { jobs ?? WorkerThread.processorCount }
}

/// One call of `verify`: its inputs one after the other, and the verdict of all.
struct VerificationRun {
    let verifier: StatementVerifier
    let mode: VerificationMode
    let output: Output

    func verify(_ sources: [InputSource]) throws -> ExitStatus {
        if sources.count == 1 {
            switch try VerificationInput(sources[0], lines: mode.lines) {
            case .one(let text): return try show(verdict(on: text))
            case .many(let lines): return try verifyLines(lines, sources[0], isAlone: true).status
            }
        }
        return try verifyAll(sources)
    }

    /// Several files. One that cannot be read does not keep the others from being verified; nor is it forgotten.
    private func verifyAll(_ sources: [InputSource]) throws -> ExitStatus {
        var tally = Tally()
        var isOneUnreadable = false
        for source in sources {
            do throws(Failure) {
                switch try VerificationInput(source, lines: mode.lines) {
                case .one(let text):
                    let verdict = verdict(on: text)
                    tally.add(verdict)
                    var line: [UInt8] = []
                    VerdictFormat(style: mode.style, file: source.name).append(verdict, line: nil, to: &line)
                    try output.write(line)
                case .many(let lines):
                    try output.flush()
                    tally.add(try verifyLines(lines, source, isAlone: false))
                }
            } catch {
                guard error.status == .refusedInput else { throw error }
                Diagnosis.report(error)
                isOneUnreadable = true
            }
        }
        try output.flush()
        summarise(tally)
        if isOneUnreadable { return tally.invalid > 0 ? .invalid : .refusedInput }
        return tally.status
    }

    private func verifyLines(
        _ lines: sending LineReader, _ source: InputSource, isAlone: Bool
    ) throws(Failure) -> Tally {
        if mode.raw {
            throw Failure(
                .refusedInput, "--raw prints one payload, but \(source.name) has several lines",
                advice: "Use --json to get the payloads of many.")
        }
        let start = WallClock.monotonic
        let bulk = BulkVerification(
            lines, name: source.name, verifier: verifier,
            format: VerdictFormat(style: mode.style, file: isAlone ? nil : source.name), jobs: mode.threads)
        let (place, signal) = try bulk.run()
        let tally = place.tally
        if isAlone || signal != nil { summarise(tally, rate: rate(tally.count, since: start), signal: signal) }
        if let signal { Signals.die(by: signal) }
        return tally
    }

    /// The lines of one file, behind those that an earlier run has verified.
    func goOn(_ file: String, _ verification: ResumableVerification) throws(Failure) -> ExitStatus {
        let start = WallClock.monotonic
        let (tally, count, signal) = try verification.verify(file)
        summarise(tally, rate: count == 0 ? nil : rate(count, since: start), signal: signal, canResume: true)
        if let signal { Signals.die(by: signal) }
        return tally.status
    }

    private func rate(_ count: Int, since start: Double) -> Int {
        Int(Double(count) / max(0.001, WallClock.monotonic - start))
    }

    private func summarise(_ tally: Tally, rate: Int? = nil, signal: Int32? = nil, canResume: Bool = false) {
        guard !mode.quiet else { return }
        var text = tally.summary
        if let rate { text += "; \(Figures.grouped(rate))/s" }
        if signal != nil {
            text += canResume ? "; interrupted, the same command goes on" : "; interrupted, the rest was not read"
        }
        Diagnosis.say(text)
    }

    private func verdict(on text: [UInt8]) -> TextVerdict {
        verifier.makeSession().verdict(on: text.span, at: WallClock.seconds)
    }

    /// The verdict of a single text.
    private func show(_ verdict: TextVerdict) throws(Failure) -> ExitStatus {
        var tally = Tally()
        tally.add(verdict)
        guard !mode.quiet else { return tally.status }
        if mode.json {
            var line: [UInt8] = []
            VerdictFormat(style: .json, file: nil).append(verdict, line: nil, to: &line)
            try output.write(line)
        } else {
            try showText(verdict)
        }
        if let objection = verdict.objection { Diagnosis.say("\(verdict.kind.rawValue): \(objection.sentence)") }
        return tally.status
    }

    private func showText(_ verdict: TextVerdict) throws(Failure) {
        if mode.raw { return try output.write(Array((verdict.payload ?? "").utf8)) }
        let reason = verdict.objection.map { " (\($0.code))" } ?? ""
        try output.writeLine(verdict.kind.rawValue + reason)
        switch verdict {
        case .statement(.valid(let statement)):
            try output.write(
                ClaimsText.lines(statement.claims, keyID: statement.keyID, algorithm: statement.algorithm))
        case .statement: break
        case .bundle(let verdict):
            if case .valid(let bundle) = verdict.outcome { return try output.write(BundleText.lines(bundle)) }
            try output.write(BundleText.lines(of: verdict.statements))
        }
    }
}
