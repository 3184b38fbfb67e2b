import CountersignKeys
import CountersignVerifier

/// `verify --trust FILE [FILE]`, in any order, and nothing else: how scripts verify one statement, thousands of times.
///
/// argument-parser finds the options of a command by reflection, which is half the time of such a run, so these words
/// are read without it. Every other option, and every mistake, is argument-parser's.
struct PlainVerification {
    private let trust: String
    private let file: String

    /// Nil for any other words.
    init?(_ words: [String]) {
        guard words.first == "verify" else { return nil }
        var rest = words.dropFirst()
        var trust: String?
        var file: String?
        while let word = rest.popFirst() {
            if word == "--trust" {
                guard trust == nil, let next = rest.popFirst(), Self.isName(next) else { return nil }
                trust = next
            } else {
                guard file == nil, Self.isName(word) else { return nil }
                file = word
            }
        }
        guard let trust else { return nil }
        self.trust = trust
        self.file = file ?? "-"
    }

    private static func isName(_ word: String) -> Bool { word.utf8.first != UInt8(ascii: "-") }

    /// Verifies as `Verify` does without further options.
    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let verifier = StatementVerifier(trust: try TrustFile(path: trust).load())
        return try VerificationRun(verifier: verifier, mode: VerificationMode(), output: output)
            .verify([InputSource(file: file)])
    }
}
