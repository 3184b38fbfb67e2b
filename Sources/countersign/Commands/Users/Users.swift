import ArgumentParser
import CountersignVerifier
import SigningService

/// `countersign users`: who may sign.
struct Users: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Add, list, lock and unlock users, set their passwords, let them enrol, look after their devices.",
        discussion: """
            A user's name has 1 to 64 of a-z 0-9 . _ @ - and begins with a letter or digit. It is theirs for ever: users \
            are locked, never deleted, so that a name in a statement always means the same user.

            EXAMPLES
              countersign users add alice
              countersign users add batch --password-file batch.pass
              countersign users lock alice
            """,
        subcommands: [
            AddUser.self, ListUsers.self, LockUser.self, UnlockUser.self, SetPassword.self, MakeActivationCode.self,
            UserDevices.self,
        ])
}

/// `countersign users add`.
struct AddUser: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user.",
        discussion: """
            The password is asked for twice at the terminal. It has at least 8 characters and neither begins nor ends \
            with white space. On a service, and with --no-password, there is none: users set their own when they enrol a \
            device, with a code of `countersign users code`.

            EXAMPLES
              countersign users add alice
              countersign users add batch --password-file batch.pass
              countersign users add carol --no-password
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The user's name.") var name: String
    @OptionGroup var password: PasswordOptions
    @Flag(help: "Set none: they set it when they enrol a device.") var noPassword = false

    func validate() throws {
        if noPassword && !password.isTerminal {
            throw ValidationError("--no-password and a password exclude each other")
        }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(name)
        let needsNone = noPassword || password.isTerminal && !service.takesPasswords
        let password = needsNone ? nil : try password.newPassword("Password for \(name.text)")
        try service.run { try await $0.addUser(name, password: password) }
        return .done
    }
}

/// `countersign users passwd`.
struct SetPassword: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Set a user's password, or take it away.",
        discussion: """
            Without a password nobody can sign as that user; their sessions end, and they set a new one when they enrol a \
            device, with a code of `countersign users code`. On a service passwords can only be taken away.

            EXAMPLES
              countersign users passwd alice
              countersign users passwd alice --password-stdin < new.pass
              countersign users passwd alice --clear
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The user's name.") var name: String
    @OptionGroup var password: PasswordOptions
    @Flag(help: "Take the password away.") var clear = false

    func validate() throws {
        if clear && !password.isTerminal { throw ValidationError("--clear and a password exclude each other") }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(name)
        if clear {
            try service.run { try await $0.clearPassword(of: name) }
            return .done
        }
        guard service.takesPasswords || !password.isTerminal else {
            throw Failure(
                .refusedInput, "on a service, users set their own passwords",
                advice: "Take it away with --clear, and give them a code of `countersign users code`.")
        }
        let password = try password.newPassword("New password for \(name.text)")
        try service.run { try await $0.setPassword(password, of: name) }
        return .done
    }
}

/// `countersign users lock`.
struct LockUser: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a user: they cannot sign until they are unlocked.",
        discussion: """
            EXAMPLES
              countersign users lock alice
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The user's name.") var name: String

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(name)
        try service.run { try await $0.lock(name) }
        return .done
    }
}

/// `countersign users unlock`.
struct UnlockUser: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock a user, and lift the block that wrong passwords brought.",
        discussion: """
            EXAMPLES
              countersign users unlock alice
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The user's name.") var name: String

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(name)
        try service.run { try await $0.unlock(name) }
        return .done
    }
}
