import ArgumentParser
import Glibc

/// The process: argument-parser's own habits (usage errors exit 64, no subcommand exits 0, unchecked `print`) give way
/// to the exit codes of `docs/cli.md`.
@main
enum EntryPoint {
    static func main() {
        ProcessSettings.apply()
        do {
            exit(try run().rawValue)
        } catch let failure as Failure {
            Diagnosis.report(failure)
            exit(failure.status.rawValue)
        } catch {
            Diagnosis.say("\(error)")
            exit(ExitStatus.unavailable.rawValue)
        }
    }

    private static func run() throws -> ExitStatus {
        let output = Output()
        let words = try Arguments.checked()
        if let status = try performPlain(words, output) {
            try output.flush()
            return status
        }
        try Arguments.refuseRepeated(words)
        try Arguments.refuseUnknownHelp(words)
        do {
            var command = try parsed(words)
            if let command = command as? any Command {
                let status = try command.perform(output)
                try output.flush()
                return status
            }
            if !type(of: command).configuration.subcommands.isEmpty {
                Diagnosis.write(Countersign.helpMessage(for: type(of: command)) + "\n")
                return .refusedInput
            }
            try command.run()
            return .done
        } catch let failure as Failure {
            throw failure
        } catch {
            return try answer(error, to: words, output)
        }
    }

    /// What needs no argument-parser; nil for all else.
    private static func performPlain(_ words: [String], _ output: Output) throws -> ExitStatus? {
        if let verification = PlainVerification(words) { return try verification.perform(output) }
        if let signing = PlainSign(words) { return try signing.perform(output) }
        return nil
    }

    /// The commands that scripts start thousands of times.
    private static let frequent: [any ParsableCommand.Type] = [Verify.self, Sign.self, Inspect.self]

    /// The command that the words ask for.
    ///
    /// argument-parser takes all commands in hand before it looks at the words, which is nearly half of a short run's time.
    /// So a frequent command gets its words directly, as one that stands under `countersign`. What it does not take (help,
    /// mistakes) goes through the root, which knows the right messages.
    private static func parsed(_ words: [String]) throws -> any ParsableCommand {
        if let name = words.first,
            let type = frequent.first(where: { $0.configuration.commandName == name }),
            let command = try? type.parseAsRoot(Array(words.dropFirst()))
        {
            return command
        }
        return try Countersign.parseAsRoot(words)
    }

    /// Help, version and completion scripts are results; everything else that argument-parser throws is a usage error.
    private static func answer(_ error: any Error, to words: [String], _ output: Output) throws(Failure) -> ExitStatus {
        let message = Countersign.fullMessage(for: error)
        guard Countersign.exitCode(for: error) == .success else {
            if let failure = unknownOption(in: words) { throw failure }
            Diagnosis.write(TerminalText.lines(message) + "\n")
            return .refusedInput
        }
        try output.writeLine(message)
        try output.flush()
        return .done
    }

    /// An option that the command does not have: it is named before anything that is missing, which it may stand for.
    private static func unknownOption(in words: [String]) -> Failure? {
        let (command, rest) = Arguments.command(of: words)
        let options = KnownOptions(of: command)
        guard let name = options.firstUnknown(in: rest) else { return nil }
        let meant = options.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ""
        return Failure(
            .refusedInput, "unknown option '\(name)'\(meant)",
            advice: "A text that begins with - goes after --; a negative number is written --level=-1. See --help.")
    }
}
