import ArgumentParser
import CountersignVerifier

/// `countersign bundle`: the statements of several persons as one file.
struct MakeBundle: Command {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Make one file of the statements of several persons.",
        discussion: """
            Several persons signed the same for the same reason: their statements become a bundle, which `countersign verify` \
            checks as one. What does not belong together is refused: two statements of one person, another payload, reason, \
            issuer, audience, level, request or quorum. Signatures are not looked at.

            EXAMPLES
              countersign bundle alice.jws bob.jws > decision.json
              countersign bundle --keys history.jws --out decision.json < statements
              countersign verify --trust keys.json --require 2 decision.json

            EXIT CODES
              0 made, 1 something is no statement or does not belong to the others, 2 wrong use, unreadable file
            """)

    @Argument(
        help: ArgumentHelp(
            "Files with a statement or JSON result, or with one on each line; - or none is standard input.",
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp("Add the public keys of this file, a JWKS or a key history.", valueName: "file"),
        completion: .file())
    var keys: String?

    @Option(help: ArgumentHelp("Write to this file; - is standard output.", valueName: "file"), completion: .file())
    var out: String?

    func validate() throws {
        let readers = files.count { $0 == "-" } + (files.isEmpty ? 1 : 0) + (keys == "-" ? 1 : 0)
        if readers > 1 { throw ValidationError("standard input can be read once") }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        let keys = try keys.map(Self.keys) ?? .set([])
        var collected = CollectedStatements()
        for file in files.isEmpty ? ["-"] : files { try collected.add(InputSource(file: file)) }
        let text = try collected.bundle(with: keys).text + [UInt8(ascii: "\n")]
        if let out, out != "-" {
            try AtomicFile.write(text.span, to: out, mode: 0o644)
        } else {
            try output.write(text)
        }
        return .done
    }

    private static func keys(_ path: String) throws(Failure) -> BundleKeys {
        let bytes = try InputSource(file: path).bytes(limit: TrustStore.maxBytes, what: "key file")
        do throws(TrustError) {
            return try BundleKeys(file: bytes)
        } catch {
            throw Failure(
                .refusedInput, "the keys of \(path) cannot be used: \(error)",
                advice: "`countersign trust export` prints a JWKS, `countersign trust export --history` a key history.")
        }
    }
}
