import ArgumentParser
import CountersignJOSE
import CountersignVerifier
import SigningService

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
            for user in users { try output.write(Self.json(user)) }
        } else {
            try output.write(
                Table.text(
                    users.map { user in
                        [
                            user.name.text, Self.state(user), "\(user.wrongAnswers) wrong since the last right answer",
                            "added \(Timestamp.text(milliseconds: user.createdAt))",
                        ]
                    }))
        }
        return .done
    }

    private static func state(_ user: User) -> String {
        if user.isLocked { return "locked" }
        if user.needsOperator { return "needs unlock" }
        if let until = user.blockedUntil { return "blocked until \(Timestamp.text(milliseconds: until))" }
        return user.hasPassword ? "active" : "no password"
    }

    private static func json(_ user: User) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "user", string: user.name.text)
        writer.name("locked")
        writer.bool(user.isLocked)
        writer.name("needsUnlock")
        writer.bool(user.needsOperator)
        if let until = user.blockedUntil { writer.member(name: "blockedUntil", integer: until) }
        writer.member(name: "wrongAnswers", integer: Int64(user.wrongAnswers))
        writer.member(name: "createdAt", integer: user.createdAt)
        if let time = user.passwordSetAt { writer.member(name: "passwordSetAt", integer: time) }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
