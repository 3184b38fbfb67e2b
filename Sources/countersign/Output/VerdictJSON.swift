import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// A verdict as members of a JSON object. Claims are there only where they were verified, under the names that they have
/// in the statement.
enum VerdictJSON {
    /// `verdict`; then `reason` and `message`, or the key and what was signed. Of a bundle, then `bundle` and the same of
    /// each of its `statements`.
    static func write(_ verdict: TextVerdict, to writer: inout JSONWriter) {
        write(verdict.kind, verdict.objection, to: &writer)
        switch verdict {
        case .statement(.valid(let statement)): write(statement, to: &writer)
        case .statement: break
        case .bundle(let verdict): write(verdict, to: &writer)
        }
    }

    /// What the statements of a bundle say is there only where the whole is valid.
    private static func write(_ verdict: BundleVerdict, to writer: inout JSONWriter) {
        switch verdict.outcome {
        case .valid(let bundle): writer.member(name: "needed", integer: Int64(bundle.needed))
        case .invalid(let fault): if let place = fault.place { writer.member(name: "place", integer: Int64(place)) }
        case .indeterminate(let place, _): writer.member(name: "place", integer: Int64(place))
        }
        writer.member(name: "bundle", integer: 1)
        writer.name("statements")
        writer.beginArray()
        for statement in verdict.statements {
            writer.beginObject()
            write(statement.kind, statement.objection, to: &writer)
            if case .valid = verdict.outcome, case .valid(let statement) = statement { write(statement, to: &writer) }
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(
        _ kind: TextVerdict.Kind, _ objection: (code: String, sentence: String)?, to writer: inout JSONWriter
    ) {
        writer.member(name: "verdict", string: kind.rawValue)
        guard let objection else { return }
        writer.member(name: "reason", string: objection.code)
        writer.member(name: "message", string: objection.sentence)
    }

    private static func write(_ statement: VerifiedStatement, to writer: inout JSONWriter) {
        write(statement.claims, keyID: statement.keyID, algorithm: statement.algorithm, to: &writer)
    }

    /// `kid`, `alg` and `claims`.
    static func write(_ claims: Claims, keyID: String, algorithm: KeyAlgorithm, to writer: inout JSONWriter) {
        writer.member(name: "kid", string: keyID)
        writer.member(name: "alg", string: algorithm.rawValue)
        writer.name("claims")
        claims.write(to: &writer)
    }
}
