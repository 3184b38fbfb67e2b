import ArgumentParser
import CountersignVerifier
import SigningService
import Storage
import Wire

/// `countersign audit`: what happened.
struct Audit: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List what happened in the store, newest first.",
        discussion: """
            One row for each outcome: who, what (the payload's digest and length, never the payload), level, method, \
            result. The events are \(AuditEvent.allCases.map(\.rawValue).joined(separator: ", ")).

            EXAMPLES
              countersign audit --limit 20
              countersign audit --event answer-wrong --since 2026-01-01 --json
              countersign audit --user alice
            """)

    @OptionGroup var place: PlaceOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("About this user.", valueName: "name")) var user: String?
    @Option(
        help: ArgumentHelp("Only this event.", valueName: "event"),
        completion: .list(AuditEvent.allCases.map(\.rawValue)))
    var event: String?
    @Option(help: ArgumentHelp("Of this ceremony.", valueName: "id")) var ceremony: String?
    @Option(help: ArgumentHelp("About this signature id.", valueName: "jti")) var id: String?
    @OptionGroup var period: PeriodOptions

    @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

    func validate() throws {
        if let event, AuditEvent(rawValue: event) == nil { throw ValidationError("there is no event '\(event)'") }
        if let user { try RecordOptions.checkUser(user) }
        if let ceremony { try RecordOptions.checkID(ceremony, of: "--ceremony") }
        if let id { try RecordOptions.checkID(id, of: "--id") }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let filter = AuditRow.Filter(
            event: event, userName: user, ceremony: ceremony, jti: id, since: try period.milliseconds(period.since),
            until: try period.milliseconds(period.until))
        let (json, lines) = (json, LinesOut(limit: period.limit ?? Int.max))
        do {
            try service.run { service in
                try await service.audit(filter) { row in
                    lines.take(json ? String(decoding: row.json, as: UTF8.self) + "\n" : Self.text(row))
                }
            }
        } catch {
            // What came is printed; that it is not all is what the exit status says.
            try lines.finish()
            throw error
        }
        try lines.finish()
        return .done
    }

    private static func text(_ row: AuditMessage) -> String {
        var facts = [Timestamp.text(milliseconds: row.at), TextEscape.escaped(row.event)]
        if let user = row.user { facts.append(TextEscape.escaped(user)) }
        if let level = row.level { facts.append("level \(level)") }
        if let method = row.method { facts.append(TextEscape.escaped(method)) }
        if row.result != 0 { facts.append("refused \(row.result)") }
        if let jti = row.jti { facts.append(TextEscape.escaped(jti)) }
        if let digest = row.digest { facts.append("sha256:\(TextEscape.escaped(digest))") }
        if let detail = row.detail { facts.append(TextEscape.escaped(detail)) }
        return facts.joined(separator: "  ") + "\n"
    }
}
