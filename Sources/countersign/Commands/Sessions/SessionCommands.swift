import ArgumentParser
import CountersignVerifier
import Wire

/// `countersign sessions`: who is logged in, where.
struct SessionCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List and end sessions.",
        discussion: """
            EXAMPLES
              countersign sessions list
              countersign sessions end 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
              countersign sessions end --user alice
            """,
        subcommands: [List.self, End.self])

    /// `countersign sessions list`.
    struct List: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List live sessions: one's own, or for the operator those of a user.")

        @OptionGroup var place: PlaceOptions
        @Option(name: .shortAndLong, help: ArgumentHelp("Those of this user.", valueName: "name")) var user: String?
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try user.map { text throws(Failure) in try OpenService.userName(text) }
            let sessions = try service.run { try await $0.sessions(of: name) }
            if json {
                for session in sessions { try output.writeLine(session) }
                return .done
            }
            try output.write(
                Table.text(
                    sessions.map { session in
                        [
                            TerminalText.line(session.id), TerminalText.line(session.deviceName ?? "no device"),
                            "began \(Timestamp.text(milliseconds: session.createdAt))",
                            "used \(Timestamp.text(milliseconds: session.lastUsedAt))"
                                + (session.isCurrent ? "  (this one)" : ""),
                        ]
                    }))
            return .done
        }
    }

    /// `countersign sessions end`.
    struct End: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "End a session, or all of a user.",
            discussion: """
                What the session had open is reset. The session of this profile is ended by `countersign logout`.
                """)

        @OptionGroup var place: PlaceOptions
        @Option(name: .shortAndLong, help: ArgumentHelp("All of this user, as the operator.", valueName: "name"))
        var user: String?
        @Argument(help: "The id of a session.") var session: String?

        func validate() throws {
            if (user == nil) == (session == nil) { throw ValidationError("give the id of a session, or --user") }
            if let session { try RecordOptions.checkID(session, of: "the id of a session") }
        }

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            if let id = session.flatMap(UUIDText.init) {
                try service.run { try await $0.endSession(id) }
            } else if let user {
                let name = try OpenService.userName(user)
                let count = try service.run { try await $0.endSessions(of: name) }
                if let count, count > 0 { Diagnosis.say("\(Figures.counted(count, "session")) ended") }
            }
            return .done
        }
    }
}
