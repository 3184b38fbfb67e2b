import ArgumentParser
import CountersignClient
import Wire

extension Inbox {
    /// `countersign inbox watch`.
    struct Watch: Command {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Print what waits for you, the oldest first, and then what comes, until Ctrl-C.",
            discussion: """
                One line each, when it comes. While the service cannot be reached it is asked again and again; standard error \
                says so.

                EXAMPLES
                  countersign inbox watch
                  countersign inbox watch --json --limit 1
                """)

        @OptionGroup var profile: ProfileOption
        @Option(help: ArgumentHelp("End after so many.", valueName: "number")) var limit: Int?
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit is at least 1") }
        }

        func perform(_ output: Output) throws -> ExitStatus {
            let (account, json) = (try profile.account(), json)
            let lines = LinesOut(limit: limit ?? Int.max, blockSize: 0)
            do {
                try waitFor {
                    try await account.watchNotifications(trouble: Diagnosis.askingAgain) { record in
                        let line =
                            json
                            ? String(decoding: record.message.json, as: UTF8.self)
                            : NotificationSheet.row(record).joined(separator: "  ")
                        return lines.take(line + "\n")
                    }
                }
            } catch {
                throw Failure(explaining: error)
            }
            try lines.finish()
            return .done
        }
    }
}
