import CountersignKeys
import CountersignVerifier

/// What a statement says, for a person: one fact a line, everything escaped.
enum ClaimsText {
    /// The lines, payload first.
    ///
    /// - Parameter mark: put before each line: where nothing was verified, every line says so.
    static func lines(_ claims: Claims, keyID: String, algorithm: KeyAlgorithm, mark: String = "") -> String {
        var facts: [(String, String)] = [
            ("payload", TerminalText.signed(claims.payload)),
            ("reason", TerminalText.signed(claims.reason)),
            ("signed by", claims.subject.text),
            ("signed at", Timestamp.text(seconds: claims.issuedAt)),
            ("level", level(claims)),
            ("issuer", TextEscape.escaped(claims.issuer)),
        ]
        if let audience = claims.audience { facts.append(("audience", TextEscape.escaped(audience))) }
        if let request = claims.reserved[.request] { facts.append(("request", TextEscape.escaped(request))) }
        if let quorum = claims.reserved.quorum { facts.append(("quorum", "\(quorum.required) of \(quorum.asked)")) }
        if let device = claims.device { facts.append(("device", device.text)) }
        facts.append(("id", claims.id.text))
        facts.append(("key", "\(keyID) (\(algorithm.rawValue))"))
        return FactSheet.lines(facts, indent: mark)
    }

    private static func level(_ claims: Claims) -> String {
        guard !claims.methods.isEmpty else { return "\(claims.level.rawValue), not authenticated" }
        // Not by `joined`, for which the runtime looks through all conformances: that shows in the time of one verification.
        var text = "\(claims.level.rawValue), by"
        for (place, method) in claims.methods.enumerated() { text += (place > 0 ? ", " : " ") + method.rawValue }
        return text
    }
}
