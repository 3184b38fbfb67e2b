import ArgumentParser
import CountersignVerifier
import Storage
import Wire

/// `countersign history`: what was signed.
struct History: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List what was signed, newest first.",
        discussion: """
            EXAMPLES
              countersign history --user alice --since 2026-01-01
              countersign history --search invoice --json
              countersign history --id JTI --statements > again.jws
              countersign history --statements | countersign verify --trust keys.json
            """)

    @OptionGroup var place: PlaceOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Signed by this user.", valueName: "name")) var user: String?
    @Option(help: ArgumentHelp("The one with this signature id.", valueName: "jti")) var id: String?
    @Option(help: ArgumentHelp("What this ceremony led to: one, or those of a batch in their order.", valueName: "id"))
    var ceremony: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Signed with this key.", valueName: "kid")) var key: String?
    @Option(help: ArgumentHelp("Signed at this level.", valueName: "level"), completion: .list(["0", "1", "4"]))
    var level: Int?
    @Option(help: ArgumentHelp("With this in payload or reason, in either case.", valueName: "text")) var search:
        String?
    @OptionGroup var period: PeriodOptions

    @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false
    @Flag(help: "Print the statements themselves, one a line.") var statements = false

    func validate() throws {
        if json && statements { throw ValidationError("--json and --statements exclude each other") }
        if let user { try RecordOptions.checkUser(user) }
        if let id { try RecordOptions.checkID(id, of: "--id") }
        if let ceremony { try RecordOptions.checkID(ceremony, of: "--ceremony") }
        if id != nil && ceremony != nil { throw ValidationError("--id and --ceremony exclude each other") }
        if let level, AuthLevel(rawValue: level) == nil { throw ValidationError("--level is 0, 1 or 4, not \(level)") }
        if key?.isEmpty == true { throw ValidationError("--key is the id of a key, not ''") }
        if search?.isEmpty == true { throw ValidationError("--search is a text, not ''") }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        if let id = id.flatMap(UUIDText.init) {
            guard let row = try service.run({ try await $0.statement(id) }) else {
                throw Failure(.refusedInput, "nothing with the id \(id.text) was signed in this store")
            }
            try write(row, output)
            return .done
        }
        if let id = ceremony.flatMap(UUIDText.init) {
            let rows = try service.run { try await $0.statements(ofCeremony: id) }
            if rows.isEmpty { throw Failure(.refusedInput, "the ceremony \(id.text) led to no statement") }
            for row in rows { try write(row, output) }
            return .done
        }
        let filter = StatementRow.Filter(
            userName: user, since: try period.milliseconds(period.since), until: try period.milliseconds(period.until),
            kid: key, level: level, keyword: search)
        try Paging.forEach(limit: period.limit) { page in
            try service.run { try await $0.statements(filter, page) }
        } _: { row in
            try write(row, output)
        }
        return .done
    }

    private func write(_ row: StatementMessage, _ output: Output) throws(Failure) {
        if statements {
            try output.writeLine(row.statement)
        } else if json {
            try output.writeLine(row)
        } else {
            let facts = [
                Timestamp.text(milliseconds: row.signedAt), row.signatureID, TerminalText.line(row.user),
                "level \(row.level)",
                TerminalText.signed(row.payload), "(\(TerminalText.signed(row.reason)))",
            ]
            try output.writeLine(facts.joined(separator: "  "))
        }
    }
}
