import ArgumentParser
import CountersignVerifier
import Signing

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

            Standard output carries the statement alone, or with --json an object with dataPayload, dataPayloadLength, \
            reason, payloadSignature, dataSignatureID, authLevel and authenticatorType.

            EXAMPLES
              countersign sign --user alice --reason 'Invoice 17' 'Pay 5.00 EUR to Bob'
              countersign sign --user alice --reason 'Refund' -- -5.00
              countersign sign --user alice --reason 'Release' --chomp < text > text.jws
              countersign sign --user alice --reason 'Contract' --digest it.pdf > it.jws
              countersign sign --user bot --reason 'Nightly' --password-file pass --json 4711

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
        if password.passwordStdin && payload == nil && text.readsStandardInput {
            throw ValidationError("payload and password cannot both come from standard input")
        }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let result = try signed(on: service)
        try output.writeLast(
            (json ? String(decoding: result.json, as: UTF8.self) : result.statement) + "\n",
            otherwise:
                "It was signed and is in the store: `countersign history --id \(result.signatureID) --statements`.")
        return .done
    }

    /// When this returns, nothing holds the password any more (K5).
    private func signed(on service: OpenService) throws -> SignedResult {
        let name = try signer(on: service)
        try authentication.check()
        try service.check(user: name, level: authentication.level)
        if payload == nil { try password.source.check(apartFrom: text.source) }
        let payload = try text.bytes(argument: payload)
        let step = try StepUp(service: service, password: authentication.level == 0 ? nil : password.source)
        return try step.sign(
            user: name, payload: payload, reason: Array(reason.utf8), level: authentication.level,
            type: authentication.type, audience: audience,
            once: idempotencyKey)
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
