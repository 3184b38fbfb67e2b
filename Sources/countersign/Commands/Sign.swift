import ArgumentParser
import CountersignVerifier
import Signing
import Wire

/// `countersign sign`: shows who is to sign what, asks for the password of exactly this, prints the statement.
struct Sign: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        _superCommandName: "countersign",
        abstract: "Sign a text for a reason, after the user authenticated for it.",
        discussion: """
            The text is an argument, a file (--in) or standard input, and is signed byte for byte, a final newline \
            included unless --chomp is given: 1 to 500 characters. A longer document is signed by its digest (--digest). \
            What is to be signed is shown before the password is asked for; what cannot be seen is spelled out.

            With --batch each line of a file is a text of its own, 1,000 at most: the password is asked for once, and each \
            text gets its own statement, or none does. Where they are too many to be read they are shown as their number and \
            the digest of their list, and all of them on demand.

            Standard output carries the statement alone, or with --json an object with dataPayload, dataPayloadLength, \
            reason, payloadSignature, dataSignatureID, authLevel and authenticatorType. Of a batch it carries a line for each \
            text, in their order: the statement, or with --json an object with that object as result and, with --references, \
            the reference.

            EXAMPLES
              countersign sign --user alice --reason 'Invoice 17' 'Pay 5.00 EUR to Bob'
              countersign sign --user alice --reason 'Refund' -- -5.00
              countersign sign --user alice --reason 'Release' --chomp < text > text.jws
              countersign sign --user alice --reason 'Contract' --digest it.pdf > it.jws
              countersign sign --user bot --reason 'Nightly' --password-file pass --json 4711
              countersign sign --user alice --reason 'Payroll' --batch payments > payments.jws

            EXIT CODES
              0  signed
              2  refused input: limits, characters, an unreadable file
              4  authentication failed, or the user is blocked, locked or unknown
              5  cancelled
              6  the prompt was left too long
              8  level or type not supported
              9  store busy, full or damaged; the statement could not be printed
            """)

    @OptionGroup var place: PlaceOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Who signs. With a person's profile, that person.", valueName: "name"))
    var user: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Why: 1 to 100 characters.", valueName: "text"))
    var reason: String

    @Argument(help: ArgumentHelp("What is signed. One that begins with - goes after --.", valueName: "payload"))
    var payload: String?

    @OptionGroup var text: PayloadOptions

    @OptionGroup var batch: BatchOptions

    @OptionGroup var authentication: LevelOptions

    @Option(help: ArgumentHelp("For whom the statement is meant.", valueName: "audience"))
    var audience: String?

    @Option(
        help: ArgumentHelp(
            "A name of this one signing at a service: the same command again gives the same statement, not a second.",
            valueName: "key"))
    var idempotencyKey: String?

    @OptionGroup var password: PasswordOptions

    @Flag(help: "Print the JSON result.")
    var json = false

    func validate() throws {
        try text.check(argument: payload)
        if batch.isGiven && (payload != nil || text.isGiven) {
            throw ValidationError("with --batch, no other payload is given")
        }
        if password.passwordStdin && payload == nil && readsStandardInput {
            throw ValidationError("payload and password cannot both come from standard input")
        }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let (payloads, results) = try signed(on: service)
        guard case .batch(let drafts) = payloads else {
            guard let result = results.first else { throw Failure(Refusal(.internalFault)) }
            try output.writeLast(
                (json ? String(decoding: result.json, as: UTF8.self) : result.statement) + "\n",
                otherwise:
                    "It was signed and is in the store: `countersign history --id \(result.signatureID) --statements`.")
            return .done
        }
        let lines = zip(drafts, results).map { draft, result in
            let item = BatchItemMessage(reference: draft.reference, result: result)
            return (json ? String(decoding: item.json, as: UTF8.self) : result.statement) + "\n"
        }
        let ceremony = results.first.flatMap { try? UnverifiedStatement($0.statement.utf8Span.span).claims.ceremony }
        try output.writeLast(
            lines.joined(),
            otherwise: "All of it was signed and is in the store: "
                + "`countersign history --ceremony \(ceremony?.text ?? "ID") --statements`.")
        return .done
    }

    /// Where what is signed comes from, if it is no argument.
    private var source: InputSource { batch.input.map { InputSource(file: $0) } ?? text.source }

    private var readsStandardInput: Bool { batch.input.map { $0 == "-" } ?? text.readsStandardInput }

    /// When this returns, nothing holds the password any more (K5).
    private func signed(on service: OpenService) throws -> (Payloads, [SignedResult]) {
        let name = try signer(on: service)
        try authentication.check()
        try service.check(user: name, level: authentication.level)
        if payload == nil { try password.source.check(apartFrom: source) }
        let payloads: Payloads =
            batch.input == nil ? .one(try text.bytes(argument: payload)) : .batch(try batch.drafts(from: source))
        let step = try StepUp(service: service, password: authentication.level == 0 ? nil : password.source)
        let results = try step.sign(
            user: name, payloads: payloads, reason: Array(reason.utf8), level: authentication.level,
            type: authentication.type, audience: audience, showsAll: batch.showAll, once: idempotencyKey)
        return (payloads, results)
    }

    /// Who signs: whom the option names, else whom the service knows.
    private func signer(on service: OpenService) throws(Failure) -> UserName {
        if let user { return try OpenService.userName(user) }
        guard let user = service.user else {
            throw Failure(.refusedInput, "it is not said who signs", advice: "Give the name by --user.")
        }
        return user
    }
}
