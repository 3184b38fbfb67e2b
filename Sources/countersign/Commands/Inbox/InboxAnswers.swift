import ArgumentParser
import CountersignClient
import CountersignVerifier
import Notifications

/// How an answer is given and printed.
struct AnswerOptions: ParsableArguments {
    @OptionGroup var profile: ProfileOption
    @OptionGroup var choice: NotificationOptions
    @OptionGroup var password: PasswordOptions
    @Flag(help: "Print JSON: the result of the signing, or the notification where nothing was signed.")
    var json = false

    /// Chooses an action: signed where it has a level, or accepts a request for a signature.
    func answer(_ action: String, matchCode: String? = nil, _ output: Output) throws -> ExitStatus {
        let remote = try OpenProfile(ProfileOption.chosen(profile.profile), passcodeFile: profile.passcodeFile)
            .service()
        let (account, id, language) = (remote.account, choice.id, choice.language)
        let record = try Failure.waiting { try await account.notification(id) }
        let code = MatchCodePrompt(record, language: language, given: matchCode)
        guard record.isSigned(action) else {
            // Whatever is wrong with it, the service says.
            let answer = try code.run(for: action) { code in
                try Failure.waiting {
                    try await account.answer(record, action: action, language: language, matchCode: code)
                }
            }
            if json { try output.writeLine(answer.notification.message) }
            return .done
        }
        let signed = try Failure.explaining { () throws(ServiceError) in
            try record.signedAnswer(action, language: language)
        }
        let isFree = record.actions.first { $0.value.utf8.elementsEqual(action.utf8) }?.level == 0
        let step = try StepUp(service: OpenService(remote), password: isFree ? nil : password.source)
        let sheet = signed.text.utf8.elementsEqual(signed.payload.utf8) ? nil : NotificationSheet.whole(signed)
        let result = try code.run(for: action) { code in
            try step.run(after: sheet) { _ in
                try await remote.answer(record, action: action, language: language, matchCode: code)
            }
        }
        try output.writeLast(
            (json ? String(decoding: result.json, as: UTF8.self) : result.statement) + "\n",
            otherwise: "It was signed: `countersign history --id \(result.signatureID) --statements`.")
        return .done
    }

    /// Rejects a new device that the person did not bring.
    func disown(blocks: Bool, _ output: Output) throws -> ExitStatus {
        let (account, id) = (try profile.account(), choice.id)
        let answer = try Failure.waiting {
            try await account.disown(account.notification(id), blocks: blocks)
        }
        if json { try output.writeLine(answer.notification.message) }
        return .done
    }
}

extension Inbox {
    /// `countersign inbox accept`.
    struct Accept: Command {
        static let configuration = CommandConfiguration(
            commandName: "accept", abstract: "Answer a notification by its action Accept.",
            discussion: InboxHelp.answers)

        @OptionGroup var options: AnswerOptions
        @OptionGroup var match: MatchCodeOptions

        func perform(_ output: Output) throws -> ExitStatus {
            try options.answer("Accept", matchCode: match.matchCode, output)
        }
    }

    /// `countersign inbox reject`.
    struct Reject: Command {
        static let configuration = CommandConfiguration(
            commandName: "reject", abstract: "Answer a notification by its action Reject.",
            discussion: InboxHelp.answers)

        @OptionGroup var options: AnswerOptions
        @Flag(help: "Of a new device: it was not you who began this. Your devices are told, and the audit says it.")
        var notMe = false
        @Flag(help: "With --not-me: let in no new device by another one's word until the operator lifts it.")
        var block = false

        func validate() throws {
            if block && !notMe { throw ValidationError("--block goes with --not-me") }
        }

        func perform(_ output: Output) throws -> ExitStatus {
            try notMe ? options.disown(blocks: block, output) : options.answer("Reject", output)
        }
    }

    /// `countersign inbox answer`.
    struct Answer: Command {
        static let configuration = CommandConfiguration(
            commandName: "answer", abstract: "Answer a notification by any of its actions.",
            discussion: InboxHelp.answers)

        @Option(help: ArgumentHelp("The action, exactly as the notification offers it.", valueName: "action"))
        var action: String
        @OptionGroup var options: AnswerOptions
        @OptionGroup var match: MatchCodeOptions

        func perform(_ output: Output) throws -> ExitStatus {
            try options.answer(action, matchCode: match.matchCode, output)
        }
    }
}

/// What the helps of several commands say.
enum InboxHelp {
    static let answers = """
        An action of level 0 counts at once, and nothing is printed. One with a level is signed: what is signed is shown, then \
        the password asked for, and the statement printed. Where whoever asks shows a match code, an approval needs it: it \
        is asked for at the terminal, or given by --match-code; three wrong ones end the question.

        EXIT CODES
          0  answered
          2  not offered, answered or closed already, or no such notification
          4  authentication failed, a wrong match code
          6  expired
          7  this device may not answer yet
          8  level not supported
        """
}
