import ArgumentParser
import CountersignKeys
import Glibc

/// Where a password or passphrase comes from. There is no option for the password itself: others can read arguments.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the password from the first line of a file, which only its owner should be able to read.",
            valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Flag(help: "Take the password from the first line of standard input.")
    var passwordStdin = false

    func validate() throws {
        if passwordFile != nil && passwordStdin {
            throw ValidationError("--password-file and --password-stdin exclude each other")
        }
    }

    /// Whether it is to be asked for.
    var isTerminal: Bool { passwordFile == nil && !passwordStdin }

    /// The source; the terminal where neither option is given.
    var source: PasswordSource {
        if passwordStdin { return .standardInput }
        return passwordFile.map(PasswordSource.file) ?? .terminal
    }

    /// A password that is being set: from its source as it is, at the terminal asked twice.
    func newPassword(_ what: String) throws(Failure) -> SecretBytes {
        if let fixed = try source.fixedPassword() { return fixed }
        return try Self.askTwice(what)
    }

    /// A secret that is being set, asked for twice at the terminal.
    static func askTwice(_ what: String) throws(Failure) -> SecretBytes {
        let terminal = try Self.openTerminal()
        let first = try Self.ask(terminal, "\(what): ")
        let second = try Self.ask(terminal, "\(what), again: ")
        let isSame = first.withBytes { one in second.withBytes { two in constantTimeEqual(one, two) } }
        guard isSame else { throw Failure(.refusedInput, "the two are not the same", advice: "Nothing was changed.") }
        return first
    }

    /// A passphrase that opens something.
    func passphrase(_ what: String) throws(Failure) -> SecretBytes {
        if let fixed = try source.fixedPassword() { return fixed }
        return try Self.ask(Self.openTerminal(), "\(what): ")
    }

    /// The terminal, or what to do without one.
    static func openTerminal(
        for what: String = "password", else options: String = "--password-file FILE or --password-stdin"
    ) throws(Failure) -> Terminal {
        guard let terminal = Terminal() else {
            throw Failure(
                .refusedInput, "there is no terminal to ask for the \(what)", advice: "Give it by \(options).")
        }
        return terminal
    }

    /// Asks until there is an answer.
    static func ask(_ terminal: Terminal, _ prompt: String) throws(Failure) -> SecretBytes {
        while true {
            switch try terminal.askSecret(prompt, limit: PasswordSource.limit, deadline: nil) {
            case .secret(let secret) where secret.count > 0: return secret
            case .secret: try terminal.show("It is empty; Ctrl-C ends this.\n")
            case .tooLong: try terminal.show("It has more than \(PasswordSource.limit) bytes.\n")
            case .cancelled, .expired: throw Failure(.declined, "cancelled; nothing was changed")
            case .signal(let number): Signals.die(by: number)
            }
        }
    }
}
