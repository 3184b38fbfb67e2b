import CountersignVerifier
import Signing

/// What a person reads before they authenticate: who signs what, everything escaped.
enum CeremonySheet {
    /// The sheet, with an empty line after it.
    static func text(_ challenge: Challenge) -> String {
        let request = challenge.run.request
        var facts = [("payload", TerminalText.signed(request.payload.text))]
        if let document = FileDigest(line: request.payload.text) {
            facts.append(("document", TerminalText.signed(document.name)))
        }
        facts.append(("reason", TerminalText.signed(request.reason.text)))
        facts.append(("level", String(request.level.rawValue)))
        if let audience = request.audience { facts.append(("for", audience)) }
        return "\(request.user.text) is asked to sign:\n" + FactSheet.lines(facts, indent: "  ") + "\n"
    }

    /// The sheet of a batch: all payloads, where a person can read them or wants to, else how many there are. Either way the digest of
    /// the list, which each statement will say.
    static func text(_ challenge: Challenge, _ batch: Batch, showsAll: Bool) -> String {
        let request = challenge.run.request
        var facts = [
            ("digest", batch.digest), ("reason", TerminalText.signed(request.reason.text)),
            ("level", String(request.level.rawValue)),
        ]
        if let audience = request.audience { facts.append(("for", audience)) }
        return "\(request.user.text) is asked to sign \(Figures.counted(batch.items.count, "payload")) at once:\n"
            + (showsAll || isShort(batch) ? list(batch) : "") + FactSheet.lines(facts, indent: "  ") + "\n"
    }

    /// All payloads of a batch, numbered.
    static func list(_ batch: Batch) -> String {
        FactSheet.lines(
            batch.items.enumerated().map { index, item in (String(index + 1), TerminalText.signed(item.payload.text)) },
            indent: "  ")
    }

    /// Whether a person can read all of it before they answer: 20 payloads, and 2,000 characters in all.
    static func isShort(_ batch: Batch) -> Bool {
        batch.items.count <= 20 && batch.items.reduce(0) { $0 + $1.payload.length } <= 2_000
    }

    /// "1 attempt left".
    static func attempts(_ left: Int) -> String { "\(Figures.counted(left, "attempt")) left" }
}
