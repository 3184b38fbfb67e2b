import ArgumentParser
import CountersignClient
import CountersignVerifier
import Notifications

extension Inbox {
    /// `countersign inbox history`.
    struct History: Command {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "List what became of your notifications, the last change first.",
            discussion: """
                EXAMPLES
                  countersign inbox history --status UPDATED --action Accept
                  countersign inbox history --search invoice --from 2026-01-01 --to 2026-01-31 --json
                """)

        @OptionGroup var profile: ProfileOption
        @Option(
            help: ArgumentHelp("Only these: UPDATED, EXPIRED, DISCARDED or DISMISSED.", valueName: "status"),
            completion: .list(["UPDATED", "EXPIRED", "DISCARDED", "DISMISSED"]))
        var status: String?
        @Option(help: ArgumentHelp("Only with this answer; NONE: without one.", valueName: "action"))
        var action: String?
        @Option(help: ArgumentHelp("With this in subject or message, in either case.", valueName: "text"))
        var search: String?
        @Option(help: ArgumentHelp("Sent to this device, or answered by it.", valueName: "id")) var device: String?
        @Option(help: ArgumentHelp("Of this enterprise.", valueName: "name")) var enterprise: String?
        @OptionGroup var days: DayOptions
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func validate() throws {
            if let status, Notification.Status(rawValue: status)?.isFinal != true {
                throw ValidationError("--status is UPDATED, EXPIRED, DISCARDED or DISMISSED, not '\(status)'")
            }
            if let device { try RecordOptions.checkID(device, of: "--device") }
            for text in [action, search, enterprise] where text?.isEmpty == true {
                throw ValidationError("a filter is not ''")
            }
        }

        func perform(_ output: Output) throws -> ExitStatus {
            let account = try profile.account()
            var filter = NotificationFilter()
            filter.status = status
            filter.action = action
            filter.keyword = search
            filter.device = device
            filter.enterprise = enterprise
            filter.from = days.from
            filter.to = days.to
            let (wanted, count) = (filter, days.limit ?? 0)
            let records = try Failure.waiting { try await account.notificationHistory(wanted, count: count) }
            try output.write(records, json: json) { record in
                [
                    record.id, Timestamp.text(milliseconds: record.changedAt ?? record.createdAt), record.status,
                    TerminalText.line(record.actionPerformed ?? "NONE"),
                    TerminalText.signed(record.bodies.first?.subject ?? ""),
                    record.signatureID.map { "statement \(TerminalText.line($0))" } ?? "",
                ]
            }
            return .done
        }
    }
}
