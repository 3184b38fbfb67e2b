import ArgumentParser
import CountersignClient
import CountersignVerifier
import Wire

/// `countersign notify`: tells or asks a person something.
struct Notify: Command {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        _superCommandName: "countersign",
        abstract: "Tell a person something, or ask them with answers to choose from.",
        discussion: """
            With the profile of a relying service or of the operator (`countersign login`). The person reads it with \
            `countersign inbox`, or on a device of another kind. An answer with a level is signed before it counts.

            Prints the notification's id, or with --json all of it.

            EXAMPLES
              countersign notify alice --subject 'Maintenance' --message 'We are away from 22:00 to 23:00.'
              countersign notify alice --subject Transfer --message 'Pay 5.00 EUR to Bob?' --action Accept:1 --action Reject \\
                --label Accept=Approve --valid-for 600

            EXIT CODES
              0  it waits for them
              2  refused input: limits, characters
              4  no such person, or they are locked; a profile that may not do this
              8  level not supported
              9  service unreachable; too much waits for this person already
            """)

    @OptionGroup var profile: ProfileOption
    @Argument(help: ArgumentHelp("Whom it is for.", valueName: "user")) var user: String
    @Option(name: .shortAndLong, help: ArgumentHelp("The heading: 1 to 200 characters, one line.", valueName: "text"))
    var subject: String
    @Option(name: .shortAndLong, help: ArgumentHelp("The text: 1 to 2,000 characters.", valueName: "text"))
    var message: String?
    @Option(
        name: .customLong("in"), help: ArgumentHelp("A file with the text; - is standard input.", valueName: "file"),
        completion: .file())
    var input: String?
    @Option(
        help: ArgumentHelp(
            "An answer to choose, and the level at which it is signed: 0 (nothing is signed), 1 or 4. Up to eight.",
            valueName: "name[:level]"))
    var action: [String] = []
    @Option(help: ArgumentHelp("What the person reads for an answer; else its name.", valueName: "name=text"))
    var label: [String] = []
    @Option(help: ArgumentHelp("The language of the texts.", valueName: "tag")) var language = "en"
    @Option(
        help: ArgumentHelp(
            "How long it lives: 10 to 2592000 seconds. Else 300 with answers, 604800 without.", valueName: "seconds"))
    var validFor: Int64?
    @Option(help: ArgumentHelp("The enterprise that it belongs to, where there are several.", valueName: "name"))
    var enterprise: String?
    @Flag(help: "Print JSON. Times are milliseconds since 1970.") var json = false

    func validate() throws {
        if (message == nil) == (input == nil) { throw ValidationError("give the text by one of --message and --in") }
        _ = try labels()
    }

    func perform(_ output: Output) throws -> ExitStatus {
        let user = try OpenService.userName(user).text
        let actions = actions
        var labels = try labels()
        for action in actions where labels[action.value] == nil { labels[action.value] = action.value }
        let account = try profile.account()
        let body = NotificationRecord.Body(
            language: language, subject: subject, message: try text(), labels: labels)
        let new = NewNotification(for: user, body, actions: actions, expiresIn: validFor, enterprise: enterprise)
        let record = try Failure.waiting { try await account.notify(new) }
        let text = json ? String(decoding: record.message.json, as: UTF8.self) : TerminalText.line(record.id)
        try output.writeLast(text + "\n", otherwise: "The person was asked; its id is \(TerminalText.line(record.id)).")
        return .done
    }

    /// `Accept:1` has level 1; what does not end so is a name, with level 0.
    private var actions: [NotificationRecord.Action] {
        action.map { text in
            guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
                let level = Int(text[text.utf8.index(after: colon)...])
            else { return NotificationRecord.Action(text) }
            return NotificationRecord.Action(String(text[..<colon]), level: level)
        }
    }

    private func labels() throws -> [String: String] {
        var labels: [String: String] = [:]
        let names = actions.map(\.value)
        for text in label {
            guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw ValidationError("a label is written NAME=TEXT, not '\(text)'")
            }
            let name = String(text[..<sign])
            guard names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                throw ValidationError("--label is for an answer of --action, and '\(name)' is none")
            }
            guard labels.updateValue(String(text[text.utf8.index(after: sign)...]), forKey: name) == nil else {
                throw ValidationError("'\(name)' has two labels")
            }
        }
        return labels
    }

    private func text() throws(Failure) -> String {
        if let message { return message }
        let bytes = try InputSource(file: input ?? "-").bytes(limit: 1 << 16, what: "text")
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.refusedInput, "the text is not UTF-8")
        }
        // A file ends with a newline, a message need not.
        if text.utf8.last == UInt8(ascii: "\n") { text = String(decoding: text.utf8.dropLast(), as: UTF8.self) }
        return text
    }
}
