import ArgumentParser
import CountersignClient
import CountersignVerifier

/// `countersign inbox`: a terminal as a person's device that is told and asked things.
struct Inbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "Read and answer what a service tells and asks you.",
        discussion: """
            Works with a person's profile (`countersign enrol`). What an action with a level signs is shown before the \
            password is asked for, and compared with what the service asks to sign.

            EXAMPLES
              countersign inbox watch
              countersign inbox list
              countersign inbox show 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
              countersign inbox accept 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70 > answer.jws
              countersign inbox history --status EXPIRED --from 2026-01-01
            """,
        subcommands: [
            List.self, Watch.self, Show.self, Accept.self, Reject.self, Answer.self, Dismiss.self, History.self,
        ])

    /// `countersign inbox list`.
    struct List: Command {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what waits for you, newest first.")

        @OptionGroup var profile: ProfileOption
        @OptionGroup var days: DayOptions
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func perform(_ output: Output) throws -> ExitStatus {
            let account = try profile.account()
            let days = days
            let records = try Failure.waiting {
                try await account.notifications(from: days.from, to: days.to, count: days.limit ?? 0)
            }
            try output.write(records, json: json, NotificationSheet.row)
            return .done
        }
    }

    /// `countersign inbox show`.
    struct Show: Command {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a notification, and what each of its actions would sign.")

        @OptionGroup var profile: ProfileOption
        @OptionGroup var choice: NotificationOptions
        @Flag(help: "Print JSON. Times are milliseconds since 1970.") var json = false

        func perform(_ output: Output) throws -> ExitStatus {
            let account = try profile.account()
            let id = choice.id
            let record = try Failure.waiting { try await account.notification(id) }
            if json {
                try output.writeLine(record.message)
            } else {
                try output.write(try NotificationSheet.text(record, language: choice.language))
            }
            return .done
        }
    }

    /// `countersign inbox dismiss`.
    struct Dismiss: Command {
        static let configuration = CommandConfiguration(
            commandName: "dismiss", abstract: "Close a notification without an answer.")

        @OptionGroup var profile: ProfileOption
        @Argument(help: "The id of the notification.") var id: String

        func validate() throws { try RecordOptions.checkID(id, of: "the id of a notification") }

        func perform(_ output: Output) throws -> ExitStatus {
            let account = try profile.account()
            let id = id
            try Failure.waiting { try await account.dismissNotification(id) }
            return .done
        }
    }
}

/// Which notification, and in which language.
struct NotificationOptions: ParsableArguments {
    @Argument(help: "The id of the notification.") var id: String

    @Option(help: ArgumentHelp("Read, and sign, it in this one of its languages; else the first.", valueName: "tag"))
    var language: String?

    func validate() throws { try RecordOptions.checkID(id, of: "the id of a notification") }
}

/// Days of UTC, and how many.
struct DayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("On this day of UTC or after: 2026-01-31.", valueName: "day")) var from: String?
    @Option(help: ArgumentHelp("On this day of UTC or before.", valueName: "day")) var to: String?
    @Option(help: ArgumentHelp("At most so many, the newest.", valueName: "number")) var limit: Int?

    func validate() throws {
        for day in [from, to].compactMap(\.self) where day.utf8.count != 10 || Timestamp.seconds(day) == nil {
            throw ValidationError("a day is written 2026-01-31")
        }
        if let limit, !(1...Int(Int32.max)).contains(limit) { throw ValidationError("--limit is at least 1") }
    }
}

extension Failure {
    /// Waits for a call of the client.
    static func waiting<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws(Failure) -> Value {
        do { return try waitFor(work) } catch { throw Failure(explaining: error) }
    }
}

extension Output {
    /// Notifications as a table, or as JSON, one a line.
    func write(
        _ records: [NotificationRecord], json: Bool, _ row: (NotificationRecord) -> [String]
    ) throws(Failure) {
        guard json else { return try write(Table.text(records.map(row))) }
        for record in records { try writeLine(record.message) }
    }
}
