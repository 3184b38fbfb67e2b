import ArgumentParser
import CountersignClient
import CountersignKeys
import CountersignVerifier

/// `countersign enrol`: this machine becomes a device of a user.
struct Enrol: Command {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Make this a device of a user at a service, and log in.",
        discussion: """
            Takes an activation code, which the service's operator made by `countersign users code`. A user without a \
            password sets it now; one with a password gives it. The device's key is made here, never leaves, and is kept in \
            a profile: a directory for its owner alone in $XDG_CONFIG_HOME/countersign (~/.config/countersign).

            Without --profile, the profile is called after the service's host, and chosen as by `countersign profiles use`.

            EXAMPLES
              countersign enrol --server https://sign.example.com --user alice
              countersign enrol --server http://127.0.0.1:8177 --user bob --code-file code --password-file pass --profile bob

            EXIT CODES
              0 enrolled and logged in, 2 refused input, 4 wrong code, user or password, 9 service unreachable
            """)

    @OptionGroup var server: ServerOptions
    @Option(name: .shortAndLong, help: ArgumentHelp("Whose device it becomes.", valueName: "name")) var user: String
    @Option(
        help: ArgumentHelp("Take the activation code from the first line of a file.", valueName: "file"),
        completion: .file())
    var codeFile: String?
    @Option(help: NewDevice.nameHelp) var deviceName: String?
    @Option(help: ArgumentHelp("The profile to make.", valueName: "name")) var profile: String?
    @OptionGroup var passcode: NewPasscodeOptions
    @OptionGroup var password: PasswordOptions

    func validate() throws {
        if server.server == nil { throw ValidationError("give the service by --server") }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let name = try OpenService.userName(user)
        let device = try NewDevice.label(deviceName)
        let code = try NewDevice.code(from: codeFile)
        let password = try password.newPassword("Password of \(name.text)")
        let draft = try ProfileDraft(profile, .none, server, passcode)
        let account = try draft.account()
        do {
            try waitFor {
                try await account.enrol(
                    user: name.text, activationCode: code, password: Secret(password), deviceName: device)
            }
        } catch let error as ServiceError {
            let failure = Failure(error)
            guard error.mayBeDone || !draft.isNew else {
                draft.discard()
                throw failure
            }
            // The service may have taken the key, now or before: it is kept.
            throw Failure(
                failure.status, failure.message,
                advice:
                    "The device may be enrolled: try `countersign login --profile \(draft.profile.name) --user \(name.text)`, then a new code."
            )
        }
        try draft.finish("enrolled as a device of \(name.text)")
        return .done
    }
}
