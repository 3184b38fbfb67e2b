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

    /// "1 attempt left".
    static func attempts(_ left: Int) -> String { "\(Figures.counted(left, "attempt")) left" }
}
