import ArgumentParser
import CountersignClient
import CountersignKeys
import CountersignVerifier
import Signing

/// `countersign activate`: this machine becomes a device of a user, by the word of another device of theirs.
struct Activate: Command {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Make this a device of a user, with the approval of another of theirs, and log in.",
        discussion: """
            The user's other devices are asked (`countersign inbox`); whoever approves there types the match code that is \
            shown here. Then the password is asked for. The device's key is made here, never leaves, and is kept in a \
            profile, as by `countersign enrol`.

            Where no other device is at hand, --code goes on with an activation code, which the operator gives in another \
            way (`countersign users code`). With a code in hand, `countersign enrol` does the same.

            EXAMPLES
              countersign activate --server https://sign.example.com --user alice
              countersign activate --server http://127.0.0.1:8177 --user alice --profile tablet --device-name Tablet

            EXIT CODES
              0 activated and logged in, 2 refused input, 4 wrong password or code, 5 rejected or cancelled, 6 nobody \
            approved in time, 8 the service has no such way, 9 service unreachable, asked too often
            """)

    @OptionGroup var server: ServerOptions
    @Option(name: .shortAndLong, help: ArgumentHelp("Whose device it becomes.", valueName: "name")) var user: String
    @Option(help: NewDevice.nameHelp) var deviceName: String?
    @Flag(help: "Ask no other device, but for an activation code.") var code = false
    @Option(help: ArgumentHelp("The profile to make.", valueName: "name")) var profile: String?
    @OptionGroup var passcode: NewPasscodeOptions
    @OptionGroup var password: PasswordOptions

    /// How long giving up may hold up a process that was told to end, in milliseconds.
    private static let patience: Int64 = 3000

    func validate() throws {
        if server.server == nil { throw ValidationError("give the service by --server") }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let name = try OpenService.userName(user)
        let device = try NewDevice.label(deviceName)
        let fixed = try password.source.fixedPassword()
        // Whoever has no terminal learns it before anybody is asked.
        if fixed == nil || code { _ = try PasswordOptions.openTerminal() }
        let draft = try ProfileDraft(profile, .none, server, passcode)
        let account = try draft.account()
        do {
            let begun = try Failure.waiting { try await account.beginActivation(user: name.text, deviceName: device) }
            if code {
                try enrol(account, begun, name, device, fixed)
            } else {
                try join(begun, name, fixed, draft)
            }
            try draft.finish("activated as a device of \(name.text)")
        } catch let error as ServiceError where error.mayBeDone {
            // The service may have let the device in: its key is kept.
            let failure = Failure(error)
            throw Failure(
                failure.status, failure.message,
                advice:
                    "The device may be activated: try `countersign login --profile \(draft.profile.name) --user \(name.text)`, then again."
            )
        } catch {
            draft.discard()
            throw Failure(explaining: error)
        }
        return .done
    }

    /// By the word of another device.
    private func join(
        _ begun: DeviceActivation, _ user: UserName, _ password: SecretBytes?, _ draft: ProfileDraft
    ) throws {
        let asked = try Failure.waiting { try await begun.verify() }
        if let match = asked.matchCode {
            Diagnosis.say("match code \(match)")
            Diagnosis.say(
                "approve this device on another one of \(user.text), with this code, within "
                    + "\(Figures.counted(Int(asked.expiresIn), "second"))")
        }
        switch try Self.decided(asked) {
        case .interrupted(let signal), .ended(_, let signal?): giveUp(asked, draft, signal)
        case .ended(let decided, nil): try check(decided)
        }
        if let password {
            try Self.finish(asked, password)
        } else {
            try finishAtTerminal(asked, user)
        }
    }

    /// A wrong password is asked for again, as often as the service lets.
    private func finishAtTerminal(_ activation: DeviceActivation, _ user: UserName) throws {
        let terminal = try PasswordOptions.openTerminal()
        var attempts = 0
        while true {
            let password = try PasswordOptions.ask(terminal, "Password of \(user.text): ")
            do {
                return try Self.finish(activation, password)
            } catch let error as ServiceError {
                let failure = Failure(error)
                guard failure.status == .authenticationFailed, attempts < 2 else { throw error }
                attempts += 1
                try terminal.show("\(TerminalText.line(failure.message))\n")
            }
        }
    }

    private static func finish(_ activation: DeviceActivation, _ password: SecretBytes) throws {
        try waitFor { try await activation.finish(password: Secret(password), trouble: Diagnosis.askingAgain) }
    }

    private static func decided(_ asked: DeviceActivation) throws(Failure) -> Interruptible<DeviceActivation> {
        do {
            return try waitUnlessSignalled { try await asked.decided(trouble: Diagnosis.askingAgain) }
        } catch {
            throw Failure(explaining: error)
        }
    }

    /// Whether it goes on.
    private func check(_ decided: DeviceActivation) throws(Failure) {
        switch decided.state {
        case .approved: return
        case .rejected: throw Failure(Refusal(.activationRejected))
        case .expired:
            throw Failure(
                .expired, "nobody approved this device in time",
                advice: "Try again, or with an activation code: --code.")
        case .offered, .waiting, .fallback, .cancelled, .activated:
            throw Failure(.declined, "the activation was given up")
        }
    }

    /// By an activation code, for the same key.
    private func enrol(
        _ account: Account, _ begun: DeviceActivation, _ user: UserName, _ device: String, _ fixed: SecretBytes?
    ) throws {
        _ = try Failure.waiting { try await begun.fallBack() }
        let code = try NewDevice.code(from: nil)
        let password = try fixed ?? PasswordOptions.ask(PasswordOptions.openTerminal(), "Password of \(user.text): ")
        try waitFor {
            try await account.enrol(
                user: user.text, activationCode: code, password: Secret(password), deviceName: device)
        }
    }

    /// Takes the question back, then ends the process as the signal would have.
    private func giveUp(_ activation: DeviceActivation, _ draft: ProfileDraft, _ signal: Int32) -> Never {
        waitFor(atMost: Self.patience) { try await activation.cancel() }
        draft.discard()
        Signals.die(by: signal)
    }
}
