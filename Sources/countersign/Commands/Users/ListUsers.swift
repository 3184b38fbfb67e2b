import ArgumentParser
import Wire

/// `countersign users list`.
struct ListUsers: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the users and how they stand.",
        discussion: """
            EXAMPLES
              countersign users list
              countersign users list --json
            """)

    @OptionGroup var place: PlaceOptions

    @Flag(help: "Print JSON: one object a line.")
    var json = false

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let users = try service.run { try await $0.users() }
        if json {
            for user in users { try output.writeLine(user) }
        } else {
            try output.write(
                Table.text(
                    users.map { user in
                        [
                            TerminalText.line(user.user), Self.state(user),
                            "\(user.wrongAnswers) wrong since the last right answer",
                            "added \(Timestamp.text(milliseconds: user.createdAt))",
                        ]
                    }))
        }
        return .done
    }

    private static func state(_ user: UserMessage) -> String {
        if user.isLocked { return "locked" }
        if user.needsUnlock { return "needs unlock" }
        if let until = user.blockedUntil { return "blocked until \(Timestamp.text(milliseconds: until))" }
        guard user.passwordSetAt != nil else { return "no password" }
        return user.activationsBlockedAt == nil ? "active" : "active, lets in no new device"
    }
}
