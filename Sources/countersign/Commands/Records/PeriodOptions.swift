import ArgumentParser

/// From when to when, and how many.
struct PeriodOptions: ParsableArguments {
    @Option(help: ArgumentHelp("From this time on: 2026-01-31 or 2026-01-31T08:15:00Z.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Before this time.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("At most so many, the newest.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        _ = try milliseconds(since)
        _ = try milliseconds(until)
        if let limit, limit < 1 { throw ValidationError("--limit is at least 1") }
    }

    /// In milliseconds since 1970.
    func milliseconds(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        guard let seconds = Timestamp.seconds(text) else {
            throw ValidationError("a time is written 2026-01-31 or 2026-01-31T08:15:00Z, in UTC")
        }
        return seconds * 1000
    }
}
