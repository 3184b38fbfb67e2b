import CountersignKeys
import CountersignVerifier

/// Persons who sign the example for one request.
enum Crowd {
    /// The example as this person's part of a request that needs `quorum`.
    static func draft(_ name: String, quorum: String? = "2/3") -> Draft {
        // The id follows from the name: one person, one id.
        let number = name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000_000_007 }
        let digits = String(number)
        let id = "0b8e7a8c-5e7d-4c53-9d0e-" + String(repeating: "0", count: 12 - digits.count) + digits
        let draft = Draft.example.with("sub", quoted(name)).with("jti", quoted(id))
        return draft.with("request", quorum == nil ? nil : #""r-1""#).with("quorum", quorum.map(quoted))
    }

    /// That part, signed.
    static func statement(_ name: String, quorum: String? = "2/3", key: PrivateKey? = nil) throws -> String {
        String(decoding: try draft(name, quorum: quorum).text(key), as: UTF8.self)
    }

    /// A bundle's text by hand: whatever the strings are.
    static func text(_ statements: [String], keys: String = #"{"keys":[]}"#) -> [UInt8] {
        let list = statements.map(quoted).joined(separator: ",")
        return Array(#"{"bundle":1,"statements":[\#(list)],"evidence":[],"keys":\#(keys)}"#.utf8)
    }

    /// Whether a text is taken for a bundle (`#expect` cannot hold a span).
    static func begins(_ text: [UInt8]) -> Bool { UnverifiedBundle.begins(text.span) }

    /// The bundle that a text is.
    static func bundle(_ text: [UInt8]) throws(BundleFault) -> UnverifiedBundle { try UnverifiedBundle(text.span) }

    /// The verdict on such a bundle.
    static func code(_ text: [UInt8], policy: Policy = Policy()) -> String {
        StatementVerifier(trust: Keys.trust, policy: policy).verifyBundle(text, at: Judge.now).code
    }
}

extension VerificationSession {
    /// The verdict over a bundle.
    func bundleCode(_ text: [UInt8]) -> String { verifyBundle(text.span, at: Judge.now).code }
}
