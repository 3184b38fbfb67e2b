import ArgumentParser
import CountersignVerifier

/// Where what is to be signed comes from, if it is no argument.
struct PayloadOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("A file with what is signed; - is standard input.", valueName: "file"),
        completion: .file())
    var input: String?

    @Option(
        help: ArgumentHelp("A document whose SHA-256 and name are signed.", valueName: "file"), completion: .file())
    var digest: String?

    @Flag(help: "Leave one final newline of the file or standard input away.")
    var chomp = false

    /// Whether any of it is given.
    var isGiven: Bool { input != nil || digest != nil || chomp }

    /// Refuses two payloads.
    func check(argument: String?) throws {
        if [argument, input, digest].count(where: { $0 != nil }) > 1 {
            throw ValidationError("give one payload: as an argument, by --in or by --digest")
        }
    }

    /// Whether it is standard input, where there is no argument.
    var readsStandardInput: Bool { digest == nil && (input == nil || input == "-") }

    /// Where a payload that is no argument comes from.
    var source: InputSource {
        digest.map(InputSource.file) ?? input.map { InputSource(file: $0) } ?? .standardInput
    }

    /// More than any payload may have, so that the refusal can say how much there is.
    private static let limit = 1 << 16

    /// What is to be signed, byte for byte.
    func bytes(argument: String?) throws(Failure) -> [UInt8] {
        if let argument { return Array(argument.utf8) }
        if let digest { return try Array(Self.digestLine(of: digest).utf8) }
        let source = source
        if case .standardInput = source, Descriptor(borrowing: 0).isTerminal {
            Diagnosis.say("reading the payload from the terminal; Ctrl-D ends it")
        }
        var bytes = try source.bytes(limit: Self.limit, what: "payload")
        if chomp, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes
    }

    private static func digestLine(of path: String) throws(Failure) -> String {
        let digest = try DocumentDigest.sha256(of: .file(path))
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: Array($0), as: UTF8.self) }
        guard let line = FileDigest(sha256: digest, name: name ?? "") else {
            throw Failure(.refusedInput, "the name of \(path) cannot be signed; give the file another name")
        }
        return line.line
    }
}
