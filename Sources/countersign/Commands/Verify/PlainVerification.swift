import CountersignKeys
import CountersignVerifier

/// `verify --trust FILE [FILE]`, with a form of the verdict or without, read without argument-parser: see `PlainWords`.
struct PlainVerification {
    private let trust: String
    private let file: String
    private var mode = VerificationMode()

    /// Nil for any other words.
    init?(_ words: [String]) {
        guard
            let plain = PlainWords(
                words, of: "verify", options: ["--trust"], flags: ["--json", "--quiet", "--raw", "--lines"]),
            let trust = plain.value(of: "--trust")
        else { return nil }
        // Two of them exclude each other, or are too rare to be looked at here.
        guard plain.flags.count <= 1 else { return nil }
        mode.json = plain.flags.contains("--json")
        mode.quiet = plain.flags.contains("--quiet")
        mode.raw = plain.flags.contains("--raw")
        mode.lines = plain.flags.contains("--lines")
        self.trust = trust
        file = plain.argument ?? "-"
    }

    /// Verifies as `Verify` does.
    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let verifier = StatementVerifier(trust: try TrustFile(path: trust).load())
        return try VerificationRun(verifier: verifier, mode: mode, output: output)
            .verify([InputSource(file: file)])
    }
}
