import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// A verdict as members of a JSON object. Claims are there only where they were verified, under the names that they have
/// in the statement.
enum VerdictJSON {
    /// `verdict`; then `reason` and `message`, or the key and what was signed.
    static func write(_ verdict: Verdict, to writer: inout JSONWriter) {
        switch verdict {
        case .valid(let statement):
            writer.member(name: "verdict", string: "valid")
            write(statement.claims, keyID: statement.keyID, algorithm: statement.algorithm, to: &writer)
        case .invalid(let reason):
            writer.member(name: "verdict", string: "invalid")
            writer.member(name: "reason", string: reason.code)
            writer.member(name: "message", string: reason.description)
        case .indeterminate(let reason):
            writer.member(name: "verdict", string: "indeterminate")
            writer.member(name: "reason", string: reason.code)
            writer.member(name: "message", string: reason.description)
        }
    }

    /// `kid`, `alg` and `claims`.
    static func write(_ claims: Claims, keyID: String, algorithm: KeyAlgorithm, to writer: inout JSONWriter) {
        writer.member(name: "kid", string: keyID)
        writer.member(name: "alg", string: algorithm.rawValue)
        writer.name("claims")
        claims.write(to: &writer)
    }
}
