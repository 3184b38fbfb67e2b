import ArgumentParser
import CountersignClient
import CountersignKeys
import CountersignVerifier

/// `countersign login`.
struct LogInCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log in at a service: as a person, as its operator, or as a relying service.",
        discussion: """
            A person logs in with a device that `countersign enrol` made, and their password. The operator logs in with a \
            token that is good once: the service writes the first one to its data directory, and `countersignd \
            operator-token` makes others. A relying service has a secret or a key, which the profile keeps.

            A session lives until `countersign logout`, or 30 days without use. After twelve hours the service asks for \
            the log-in again before it lets a person sign.

            Without --profile it is the one for that service; a new profile is called after the service's host, and \
            chosen as by `countersign profiles use`.

            EXAMPLES
              countersign login
              countersign login --server https://sign.example.com --password-file pass
              countersign login --server https://sign.example.com --operator --token-file operator-token
              countersign login --server https://sign.example.com --client shop --secret-file shop.secret
              countersign login --server https://sign.example.com --client bank --key-file bank.key

            EXIT CODES
              0 logged in, 2 refused input, 4 authentication failed, 9 service unreachable
            """)

    @OptionGroup var server: ServerOptions
    @Option(name: .shortAndLong, help: ArgumentHelp("Who logs in. Else whose profile it is.", valueName: "name"))
    var user: String?
    @Flag(name: .customLong("operator"), help: "Log in as the operator.") var isOperator = false
    @Option(
        help: ArgumentHelp("Take the operator's token from the first line of a file.", valueName: "file"),
        completion: .file())
    var tokenFile: String?
    @Option(help: ArgumentHelp("Log in as this relying service.", valueName: "name")) var client: String?
    @Option(
        help: ArgumentHelp("The relying service's secret: the first line of a file.", valueName: "file"),
        completion: .file())
    var secretFile: String?
    @Option(
        help: ArgumentHelp(
            "The relying service's private key, whose public half the operator added: PEM, not encrypted.",
            valueName: "file"),
        completion: .file())
    var keyFile: String?
    @Option(help: ProfileOption.help, completion: ProfileOption.names) var profile: String?
    @OptionGroup var passcode: NewPasscodeOptions
    @OptionGroup var password: PasswordOptions

    func validate() throws {
        if [user != nil, isOperator, client != nil].count(where: { $0 }) > 1 {
            throw ValidationError("--user, --operator and --client exclude each other")
        }
        if tokenFile != nil && !isOperator { throw ValidationError("--token-file is for --operator") }
        let credentials = [secretFile, keyFile].count { $0 != nil }
        if client == nil ? credentials > 0 : credentials != 1 {
            throw ValidationError("--client goes with one of --secret-file and --key-file")
        }
        if (isOperator || client != nil) && !password.isTerminal {
            throw ValidationError(
                "the password is a person's; the operator has a --token-file, a client a --secret-file or --key-file")
        }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        if isOperator { return try logInOperator() }
        if let client { return try logInClient(client) }
        return try logInPerson()
    }

    private func logInOperator() throws -> ExitStatus {
        let token = try tokenFile.map { path throws(Failure) in try PasswordSource.firstLine(of: path, "token") }
        let draft = try ProfileDraft(profile, .words("operator"), server, passcode, mayBeUsed: true)
        let account = try draft.account()
        let given = try token ?? Self.askForToken()
        do {
            try waitFor { try await account.logIn(operatorToken: Secret(given)) }
        } catch {
            draft.discard()
            throw Failure(explaining: error)
        }
        try draft.finish("logged in as the operator of \(account.origin)")
        return .done
    }

    private static func askForToken() throws(Failure) -> SecretBytes {
        let terminal = try PasswordOptions.openTerminal(for: "operator's token", else: "--token-file FILE")
        return try PasswordOptions.ask(terminal, "Operator's token: ")
    }

    private func logInClient(_ name: String) throws -> ExitStatus {
        let credential = try credential()
        let draft = try ProfileDraft(profile, .words(name), server, passcode, mayBeUsed: true)
        let account = try draft.account()
        do {
            try waitFor { try await account.logIn(client: name, credential) }
        } catch {
            draft.discard()
            throw Failure(explaining: error)
        }
        try draft.finish("logged in as the relying service \(name) at \(account.origin)")
        return .done
    }

    /// How a relying service proves itself.
    private func credential() throws(Failure) -> RelyingService.Credential {
        if let keyFile { return .key(pem: Secret(try PrivateKeyFile.unencrypted(keyFile))) }
        return .secret(Secret(try PasswordSource.firstLine(of: secretFile ?? "", "secret")))
    }

    private func logInPerson() throws -> ExitStatus {
        let open = try OpenProfile(nameOfPerson(), passcodeFile: passcode.passcodeFile)
        if open.profile.isOperator || open.profile.client != nil {
            throw Failure(
                .refusedInput, "the profile \(open.profile.name) is no person's",
                advice: "Log in with it by `countersign login --operator --token-file FILE`, or by --client.")
        }
        let given = try user.map { text throws(Failure) in try OpenService.userName(text).text } ?? open.profile.user
        guard let name = given else {
            throw Failure(.refusedInput, "it is not said who logs in", advice: "Give the name by --user.")
        }
        let (profile, passcode, options) = (open.profile, try open.passcode(), try server.options())
        let account = try Failure.explaining { () throws(ServiceError) in
            try Account(profile, passcode: passcode, options: options)
        }
        if let fixed = try password.source.fixedPassword() {
            try Self.logIn(account, name, fixed)
        } else {
            try logInAtTerminal(account, name)
        }
        Diagnosis.say("logged in as \(name) at \(account.origin); the profile is \(profile.name)")
        return .done
    }

    /// A wrong password is asked for again, as often as the service lets.
    private func logInAtTerminal(_ account: Account, _ name: String) throws {
        let terminal = try PasswordOptions.openTerminal()
        var attempts = 0
        while true {
            let password = try PasswordOptions.ask(terminal, "Password of \(name): ")
            do throws(Failure) {
                return try Self.logIn(account, name, password)
            } catch {
                guard error.status == .authenticationFailed, attempts < 2 else { throw error }
                attempts += 1
                try terminal.show("\(TerminalText.line(error.message))\n")
            }
        }
    }

    private static func logIn(_ account: Account, _ name: String, _ password: SecretBytes) throws(Failure) {
        do { try waitFor { try await account.logIn(user: name, password: Secret(password)) } } catch {
            throw Failure(explaining: error)
        }
    }

    /// The profile that is named, else the only one of a person for the service that is named, else the chosen one.
    private func nameOfPerson() throws(Failure) -> String {
        guard profile == nil, let url = server.server else { return try ProfileOption.chosen(profile) }
        let profiles = try ProfileChoice.profiles()
        let options = try server.options()
        let found = try Failure.explaining { () throws(ServiceError) in
            let origin = try CountersignService(url, options: options).origin
            return try profiles.names().filter { name in
                guard let known = try? profiles.profile(name) else { return false }
                return known.server == origin && !known.isOperator && known.client == nil
                    && (user == nil || known.user == user)
            }
        }
        guard found.count < 2 else {
            throw Failure(
                .refusedInput, "there are several profiles for \(url): \(found.joined(separator: ", "))",
                advice: "Say which by --profile NAME.")
        }
        guard let name = found.first else {
            throw Failure(
                .refusedInput, "no device is enrolled at \(url)",
                advice: "Enrol this one: `countersign enrol --server \(url) --user NAME`.")
        }
        return name
    }
}
