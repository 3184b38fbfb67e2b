package import CountersignJOSE
internal import CountersignKeys
package import CountersignVerifier
package import Signing

/// A verdict, under the names of `countersign verify --json`.
package struct VerdictMessage: ListedMessage {
    /// `valid`, `invalid` or `indeterminate`.
    package let verdict: String
    /// The stable name of the reason, where it is not valid.
    package let reason: String?
    /// The reason in a sentence.
    package let message: String?
    /// The key that signed, where it is valid.
    package let kid: String?
    /// Its algorithm.
    package let algorithm: String?
    /// What was signed, under the names of the statement.
    package let claims: JSONObject?

    /// The verifier's verdict.
    package init(_ verdict: Verdict) {
        var (reason, message, statement): (String?, String?, VerifiedStatement?)
        switch verdict {
        case .valid(let valid):
            self.verdict = "valid"
            statement = valid
        case .invalid(let why):
            self.verdict = "invalid"
            (reason, message) = (why.code, why.description)
        case .indeterminate(let why):
            self.verdict = "indeterminate"
            (reason, message) = (why.code, why.description)
        }
        self.reason = reason
        self.message = message
        kid = statement?.keyID
        algorithm = statement?.algorithm.rawValue
        claims = statement.flatMap { statement in
            var writer = JSONWriter()
            statement.claims.write(to: &writer)
            return (try? JSON(parsing: writer.bytes, maxBytes: writer.bytes.count))?.object
        }
    }

    /// `{"verdicts": [...]}`.
    package static var listName: StaticString { "verdicts" }

    /// Its members.
    package static let shape = Shape(
        "Verdict",
        [
            .required("verdict", .word(["valid", "invalid", "indeterminate"])),
            .optional("reason", .line, "the stable name of the reason, where it is not valid"),
            .optional("message", .text(max: 2048), "the reason in a sentence"),
            .optional("kid", .line, "the key that signed, where it is valid"), .optional("alg", .line),
            .optional("claims", .object, "what was signed, under the names of the statement"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        verdict = try members.string("verdict")
        reason = members.optionalString("reason")
        message = members.optionalString("message")
        kid = members.optionalString("kid")
        algorithm = members.optionalString("alg")
        claims = members.optionalObject("claims")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "verdict", string: verdict)
        writer.member(name: "reason", string: reason)
        writer.member(name: "message", string: message)
        writer.member(name: "kid", string: kid)
        writer.member(name: "alg", string: algorithm)
        if let claims {
            writer.name("claims")
            writer.value(.object(claims), isSorted: false)
        }
        writer.endObject()
    }
}
