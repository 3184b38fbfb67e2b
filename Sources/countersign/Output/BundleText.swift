import CountersignVerifier

/// What a bundle says, for a person: one fact a line, everything escaped.
enum BundleText {
    /// What was signed and by whom. The bundle was found valid.
    static func lines(_ bundle: VerifiedBundle) -> String {
        let shared = bundle.shared
        var facts = [
            ("payload", TerminalText.signed(shared.payload)), ("reason", TerminalText.signed(shared.reason)),
            ("signed by", bundle.signers.joined(separator: ", ")), ("needed", needed(bundle)),
            ("level", String(shared.level.rawValue)), ("issuer", TextEscape.escaped(shared.issuer)),
        ]
        if let audience = shared.audience { facts.append(("audience", TextEscape.escaped(audience))) }
        if let request = shared.reserved[.request] { facts.append(("request", TextEscape.escaped(request))) }
        for statement in bundle.statements {
            let claims = statement.claims
            let methods = claims.methods.isEmpty ? "" : " by \(claims.methods.map(\.rawValue).joined(separator: ", "))"
            let time = Timestamp.text(seconds: claims.issuedAt)
            facts.append((claims.subject.text, "\(time)\(methods), id \(claims.id.text), key \(statement.keyID)"))
        }
        return FactSheet.lines(facts)
    }

    /// Each statement's own verdict, where the whole is not valid. What they say is not shown: one that is valid is no
    /// decision.
    static func lines(of statements: [Verdict]) -> String {
        statements.enumerated().map { index, verdict in
            "statement \(index + 1): \(verdict.kind.rawValue)" + (verdict.objection.map { " (\($0.code))" } ?? "")
                + "\n"
        }.joined()
    }

    private static func needed(_ bundle: VerifiedBundle) -> String {
        guard let quorum = bundle.shared.reserved.quorum else { return String(bundle.needed) }
        let said = "\(quorum.required) of \(quorum.asked)"
        return bundle.needed == quorum.required ? said : "\(bundle.needed), and \(said) by the statements"
    }
}

extension VerifiedBundle {
    /// The users who signed.
    var signers: [String] { statements.map(\.claims.subject.text) }

    /// When the last of them signed, seconds since 1970.
    var completedAt: Int64 { statements.map(\.claims.issuedAt).max() ?? shared.issuedAt }
}
