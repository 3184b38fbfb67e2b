import ArgumentParser
import CountersignVerifier
import Storage
import Wire

/// `countersign deliveries`: what was to be carried to the webhook and to devices.
struct Deliveries: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "List what was to be carried to the webhook and to devices, newest first, and what became of it.",
        discussion: """
            Each with its id, which whoever gets it sees too, how often it was tried, and what was said to that; what \
            waits, also when it is tried again. It is kept for 30 days.

            EXAMPLES
              countersign deliveries --state failed
              countersign deliveries --transport webhook --user alice --since 2026-01-01 --json
            """)

    @OptionGroup var place: PlaceOptions

    @Option(
        help: ArgumentHelp("Only these: waiting, delivered or failed.", valueName: "state"),
        completion: .list(OutboxRow.State.allCases.map(\.rawValue)))
    var state: String?
    @Option(
        help: ArgumentHelp("Carried by this: apns or webhook.", valueName: "name"),
        completion: .list(OutboxRow.Transport.allCases.map(\.rawValue)))
    var transport: String?
    @Option(name: .shortAndLong, help: ArgumentHelp("About this user.", valueName: "name")) var user: String?
    @Option(help: ArgumentHelp("About this notification.", valueName: "id")) var notification: String?
    @OptionGroup var period: PeriodOptions

    @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

    func validate() throws {
        if let state, OutboxRow.State(rawValue: state) == nil {
            throw ValidationError("--state is waiting, delivered or failed, not '\(state)'")
        }
        if let transport, OutboxRow.Transport(rawValue: transport) == nil {
            throw ValidationError("--transport is apns or webhook, not '\(transport)'")
        }
        if let user { try RecordOptions.checkUser(user) }
        if let notification { try RecordOptions.checkID(notification, of: "--notification") }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let filter = OutboxRow.Filter(
            state: state.flatMap(OutboxRow.State.init(rawValue:)),
            transport: transport.flatMap(OutboxRow.Transport.init(rawValue:)), userName: user,
            notification: notification, since: try period.milliseconds(period.since),
            until: try period.milliseconds(period.until))
        try Paging.forEach(limit: period.limit) { page in
            try service.run { try await $0.deliveries(filter, page) }
        } _: { delivery in
            if json { try output.writeLine(delivery) } else { try output.writeLine(Self.text(delivery)) }
        }
        return .done
    }

    private static func text(_ delivery: DeliveryMessage) -> String {
        var facts = [
            Timestamp.text(milliseconds: delivery.createdAt), delivery.id, delivery.transport, delivery.event,
            delivery.user, delivery.state, "tried \(Figures.counted(delivery.attempts, "time"))",
        ]
        if let receipt = delivery.receipt { facts.append(receipt) }
        if let next = delivery.nextAt { facts.append("next \(Timestamp.text(milliseconds: next))") }
        return facts.map { TerminalText.line($0) }.joined(separator: "  ")
    }
}
