import ArgumentParser
import CountersignClient
import CountersignKeys
import Notifications
import Signing

/// The match code of an approval, as an option.
struct MatchCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The two digits that are shown where this was asked, for an approval that needs them.", valueName: "NN"))
    var matchCode: String?

    func validate() throws {
        if let matchCode, MatchCode(matchCode) == nil {
            throw ValidationError("a match code has two digits, such as 07")
        }
    }
}

/// Gets the match code that an approval needs: as it was given, or asked for at the terminal after the whole question was shown, again
/// while more may be wrong.
struct MatchCodePrompt {
    private let record: NotificationRecord
    private let language: String?
    private let given: String?

    init(_ record: NotificationRecord, language: String?, given: String?) {
        self.record = record
        self.language = language
        self.given = given
    }

    /// Does something that needs the code where this action is chosen.
    func run<Value>(for action: String, _ work: (String?) throws -> Value) throws -> Value {
        guard given == nil, record.match == .required, action.utf8.elementsEqual(NotificationAction.accept.utf8)
        else { return try work(given) }
        let terminal = try PasswordOptions.openTerminal(for: "match code", else: "--match-code NN")
        try terminal.show(NotificationSheet.text(record, language: language) + "\n")
        while true {
            let code = try ask(terminal)
            do { return try work(code) } catch let failure as Failure {
                guard failure.refusal?.code == .matchCodeWrong, case .codesLeft(let left)? = failure.refusal?.fact,
                    left > 0
                else { throw failure }
                try terminal.show("\(TerminalText.line(failure.message))\n")
            }
        }
    }

    /// What is no code is asked for again, and costs nothing.
    private func ask(_ terminal: Terminal) throws(Failure) -> String {
        while true {
            switch try terminal.askLine("Match code that is shown where this was asked: ", limit: 16) {
            case .secret(let typed):
                let text = typed.withBytes { bytes in
                    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
                }
                if MatchCode(text) != nil { return text }
                try terminal.show("A match code has two digits; Ctrl-C ends this.\n")
            case .tooLong: try terminal.show("A match code has two digits; Ctrl-C ends this.\n")
            case .cancelled, .expired: throw Failure(.declined, "cancelled; nothing was answered")
            case .signal(let number): Signals.die(by: number)
            }
        }
    }
}
