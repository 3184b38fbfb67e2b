import ArgumentParser
import CountersignClient
import CountersignVerifier
import Signing
import Wire

/// `countersign requests`: what a relying service asked of persons.
struct Requests: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List, show and take back what was asked by `countersign ask`.",
        discussion: """
            With the profile of the relying service that asked.

            EXAMPLES
              countersign requests list --limit 20
              countersign requests show 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
              countersign requests cancel 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
            """,
        subcommands: [List.self, Show.self, Cancel.self])

    /// `countersign requests list`.
    struct List: Command {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what was asked, newest first, and what became of it.")

        @OptionGroup var profile: ProfileOption
        @Option(help: ArgumentHelp("At most so many, the newest.", valueName: "number")) var limit: Int?
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit is at least 1") }
        }

        func perform(_ output: Output) throws -> ExitStatus {
            let account = try profile.account()
            var rows: [[String]] = []
            try Requests.forEach(of: account, limit: limit) { record in
                if json { try output.writeLine(record.message) } else { rows.append(Self.row(record)) }
                return true
            }
            try output.write(Table.text(rows))
            return .done
        }

        private static func row(_ record: RequestRecord) -> [String] {
            [
                TerminalText.line(record.id), Timestamp.text(milliseconds: record.createdAt), record.status,
                "\(record.signed) of \(TerminalText.line(record.quorum ?? "1/1")) signed",
                TerminalText.line(record.group ?? record.users.joined(separator: ",")),
                TerminalText.signed(record.reason),
            ]
        }
    }

    /// `countersign requests show`.
    struct Show: Command {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a request, and what became of it.",
            discussion: "What was signed is printed by `countersign ask --resume`.")

        @OptionGroup var profile: ProfileOption
        @Argument(help: "The id of the request.") var id: String
        @Flag(help: "Print JSON. Times are milliseconds since 1970.") var json = false

        func validate() throws { try RecordOptions.checkID(id, of: "the id of a request") }

        func perform(_ output: Output) throws -> ExitStatus {
            let account = try profile.account()
            var found: RequestRecord?
            try Requests.forEach(of: account, limit: nil) { record in
                if record.id.utf8.elementsEqual(id.utf8) { found = record }
                return found == nil
            }
            guard let found else { throw Failure(Refusal(.requestUnknown)) }
            if json { try output.writeLine(found.message) } else { try output.write(Self.sheet(found)) }
            return .done
        }

        private static func sheet(_ record: RequestRecord) -> String {
            var facts = [("id", TerminalText.line(record.id)), ("status", record.status)]
            if let group = record.group { facts.append(("group", TerminalText.line(group))) }
            facts.append(("asked", TerminalText.line(record.users.joined(separator: ", "))))
            if let requester = record.requester { facts.append(("on behalf of", TerminalText.line(requester))) }
            if let quorum = record.quorum { facts.append(("quorum", TerminalText.line(quorum))) }
            facts.append(("signed", String(record.signed)))
            facts.append(("declined", String(record.declined)))
            facts.append(("made", Timestamp.text(milliseconds: record.createdAt)))
            facts.append(("until", Timestamp.text(milliseconds: record.expiresAt)))
            if let time = record.changedAt { facts.append(("ended", Timestamp.text(milliseconds: time))) }
            facts.append(("level", String(record.level)))
            facts.append(("payload", TerminalText.signed(record.payload)))
            facts.append(("reason", TerminalText.signed(record.reason)))
            return FactSheet.lines(facts)
        }
    }

    /// `countersign requests cancel`.
    struct Cancel: Command {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Take a request back: nothing is signed for it any more.")

        @OptionGroup var profile: ProfileOption
        @Argument(help: "The id of the request.") var id: String

        func validate() throws { try RecordOptions.checkID(id, of: "the id of a request") }

        func perform(_ output: Output) throws -> ExitStatus {
            let (account, id) = (try profile.account(), id)
            try Failure.waiting { try await account.cancelRequest(id) }
            return .done
        }
    }

    /// Gives each request, the newest first, until no more is wanted.
    private static func forEach(
        of account: Account, limit: Int?, _ body: (RequestRecord) throws -> Bool
    ) throws {
        var (start, left) = (1, limit ?? Int.max)
        while left > 0 {
            let (index, count) = (start, min(left, 100))
            let page = try Failure.waiting { try await account.requests(startIndex: index, count: count) }
            for record in page where try !body(record) { return }
            guard page.count == count else { return }
            start += page.count
            left -= page.count
        }
    }
}
