import ArgumentParser
import CountersignVerifier
import Notifications
import Signing
import Wire

/// `countersign groups`: named groups of persons, out of whom several may be asked to sign.
struct Groups: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "List, add, change and delete groups of persons, out of whom several are asked to sign.",
        discussion: """
            A name has 1 to 64 of a-z 0-9 . _ - and begins with a letter or digit; a group has 1 to 64 users. What was asked \
            of a group goes on with those who were in it then.

            EXAMPLES
              countersign groups add admins alice bob carol
              countersign groups set admins alice carol
              countersign groups delete admins
            """,
        subcommands: [List.self, Add.self, Set.self, Delete.self])

    /// `countersign groups list`.
    struct List: ServiceCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the groups, by name.")

        @OptionGroup var place: PlaceOptions
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let groups = try service.run { try await $0.groups() }
            if json {
                for group in groups { try output.writeLine(group) }
                return .done
            }
            try output.write(
                Table.text(
                    groups.map { group in
                        [
                            TerminalText.line(group.group), TerminalText.line(group.members.joined(separator: " ")),
                            "changed \(Timestamp.text(milliseconds: group.changedAt))",
                        ]
                    }))
            return .done
        }
    }

    /// `countersign groups add`.
    struct Add: ServiceCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a group.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "Its name.") var name: String
        @Argument(help: ArgumentHelp("Who is in it.", valueName: "user")) var users: [String]

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let (name, members) = (try Groups.name(name), try Groups.members(users))
            try service.run { try await $0.addGroup(name, members: members) }
            return .done
        }
    }

    /// `countersign groups set`.
    struct Set: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Say who is in a group: these, and nobody else.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "Its name.") var name: String
        @Argument(help: ArgumentHelp("Who is in it.", valueName: "user")) var users: [String]

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let (name, members) = (try Groups.name(name), try Groups.members(users))
            try service.run { try await $0.setGroup(name, members: members) }
            return .done
        }
    }

    /// `countersign groups delete`.
    struct Delete: ServiceCommand {
        static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a group.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "Its name.") var name: String

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try Groups.name(name)
            try service.run { try await $0.deleteGroup(name) }
            return .done
        }
    }

    private static func name(_ text: String) throws(Failure) -> GroupName {
        guard let name = GroupName(text) else { throw Failure(Refusal(.groupMalformed)) }
        return name
    }

    private static func members(_ names: [String]) throws(Failure) -> [UserName] {
        var members: [UserName] = []
        for name in names { members.append(try OpenService.userName(name)) }
        return members
    }
}
