import ArgumentParser
import CountersignKeys
import CountersignVerifier

/// `countersign verify`: offline, without a store when `--trust` names the keys.
struct Verify: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        _superCommandName: "countersign",
        abstract: "Verify statements and bundles, offline.",
        discussion: """
            Reads one statement, one JSON result of `sign --json`, one bundle, or a file with one of them on each line, and \
            checks format, key, signature, state of the key and policy, in this order. A bundle is checked as one. Many are verified on all cores, in \
            constant memory; the verdicts keep the order of the lines.

            The policy is strict unless you say otherwise: level 1 at least, not dated in the future, not for an \
            audience. What was signed is printed only after the statement was found valid, with invisible characters \
            spelled out as \\u{202E}.

            EXAMPLES
              countersign verify --trust keys.json statement.jws
              countersign verify --trust keys.json --statement "$STATEMENT" --raw
              countersign verify --trust history.jws --root THUMBPRINT --max-age 1h -
              countersign verify --trust keys.json --file contract.pdf contract.jws
              countersign verify --trust keys.json --json many.txt > verdicts
              countersign verify --trust keys.json --resume place many.txt >> verdicts
              countersign verify --trust keys.json --require 2 decision.json

            EXIT CODES
              0  valid
              1  invalid, or the policy is not met; of many: one of them
              2  wrong options, unreadable file, unusable trust file
              3  indeterminate: unknown or compromised key, expired history
            """)

    @Argument(
        help: ArgumentHelp("Files with statements or bundles; - or none is standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("The statement itself.", valueName: "text"))
    var statement: String?

    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Policy") var policy: PolicyOptions

    @Flag(help: "Take each line for itself, even if there is only one.")
    var lines = false

    @Flag(help: "Print JSON: one object a line.")
    var json = false

    @Flag(help: "Print the payload alone, its exact bytes.")
    var raw = false

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the verdict.")
    var quiet = false

    @Option(help: ArgumentHelp("How many threads verify many. All cores, unless given.", valueName: "number"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Keep in this file how far a long file's verdicts are printed, and go on there.", valueName: "file"),
        completion: .file())
    var resume: String?

    func validate() throws {
        if resume != nil {
            guard statement == nil, files.count == 1, files != ["-"], !raw else {
                throw ValidationError("--resume goes on with the lines of one FILE")
            }
            if trust.trust == nil { throw ValidationError("--resume needs the keys of a --trust file") }
            if policy.file == "-" { throw ValidationError("--resume reads the document of --file each time anew") }
        }
        if statement != nil && !files.isEmpty { throw ValidationError("--statement and files exclude each other") }
        if [json, raw, quiet].count(where: { $0 }) > 1 {
            throw ValidationError("--json, --raw and --quiet exclude each other")
        }
        if raw && (lines || files.count > 1) { throw ValidationError("--raw prints one payload, not many") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs is 1 to 1024") }
        if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read once") }
        let others = [trust.trust, policy.file].count { $0 == "-" }
        if others + (readsStandardInput ? 1 : 0) > 1 { throw ValidationError("standard input can be read once") }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let mode = VerificationMode(lines: lines, json: json, raw: raw, quiet: quiet, jobs: jobs)
        guard let resume, let keys = try trust.file?.loadWithDigest(), let file = files.first else {
            let verifier = StatementVerifier(trust: try trust.load(), policy: try policy.policy())
            return try VerificationRun(verifier: verifier, mode: mode, output: output).verify(sources)
        }
        let verifier = StatementVerifier(trust: keys.store, policy: try policy.policy())
        let options = try policy.spelling() + Array("\(mode.style)".utf8)
        let verification = ResumableVerification(
            verifier: verifier, format: VerdictFormat(style: mode.style, file: nil), jobs: mode.threads, path: resume,
            trust: keys.digest, options: Hex.text(of: SHA256.hash(options.span)))
        return try VerificationRun(verifier: verifier, mode: mode, output: output).goOn(file, verification)
    }

    private var sources: [InputSource] {
        if let statement { return [.argument(statement)] }
        return files.isEmpty ? [.standardInput] : files.map { InputSource(file: $0) }
    }

    private var readsStandardInput: Bool { statement == nil && (files.isEmpty || files.contains("-")) }
}
