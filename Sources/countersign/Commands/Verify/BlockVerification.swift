import CountersignVerifier

/// Verifies the lines of one block after another, on one thread, and prints their verdicts.
struct BlockVerification {
    private let session: VerificationSession
    private let format: VerdictFormat

    init(_ verifier: StatementVerifier, _ format: VerdictFormat) {
        session = verifier.makeSession()
        self.format = format
    }

    /// - Parameter output: what is printed is put behind it.
    func verify(_ block: LineReader.Block, _ output: inout [UInt8]) -> Tally {
        var tally = Tally()
        let now = WallClock.seconds
        let bytes = block.bytes.span
        if block.isTooLong {
            let verdict = TextVerdict.statement(.invalid(.tooLong))
            tally.add(verdict)
            format.append(verdict, line: block.firstLine, to: &output)
            return tally
        }
        for (index, verdict) in session.verdicts(on: block.lines, of: bytes, at: now).enumerated() {
            tally.add(verdict)
            format.append(verdict, line: block.firstLine + index, to: &output)
        }
        return tally
    }
}
