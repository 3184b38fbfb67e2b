import ArgumentParser
import CountersignVerifier
import SigningService

/// `countersign users`: who may sign.
struct Users: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Add, list, lock and unlock users, and set their passwords.",
        discussion: """
            A user's name has 1 to 64 of a-z 0-9 . _ @ - and begins with a letter or digit. It is theirs for ever: users \
            are locked, never deleted, so that a name in a statement always means the same user.

            EXAMPLES
              countersign users add alice
              countersign users add batch --password-file batch.pass
              countersign users lock alice
            """,
        subcommands: [AddUser.self, ListUsers.self, LockUser.self, UnlockUser.self, SetPassword.self])
}

/// `countersign users add`.
struct AddUser: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user.",
        discussion: """
            The password is asked for twice at the terminal. It has at least 8 characters and neither begins nor ends \
            with white space.

            EXAMPLES
              countersign users add alice
              countersign users add batch --password-file batch.pass
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The user's name.") var name: String
    @OptionGroup var password: PasswordOptions

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(name)
        let password = try password.newPassword("Password for \(name.text)")
        try service.run { try await $0.addUser(name, password: password) }
        return .done
    }
}

/// `countersign users passwd`.
struct SetPassword: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Set a user's password.",
        discussion: """
            EXAMPLES
              countersign users passwd alice
              countersign users passwd alice --password-stdin < new.pass
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The user's name.") var name: String
    @OptionGroup var password: PasswordOptions

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(name)
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
