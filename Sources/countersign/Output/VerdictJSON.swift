import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// A verdict as members of a JSON object. Claims are there only where they were verified.
enum VerdictJSON {
    /// `verdict`; then `code` and `message`, or what was signed.
    static func write(_ verdict: Verdict, to writer: inout JSONWriter) {
        switch verdict {
        case .valid(let statement):
            writer.member(name: "verdict", string: "valid")
            ClaimsJSON.write(statement.claims, keyID: statement.keyID, algorithm: statement.algorithm, &writer)
        case .invalid(let reason):
            writer.member(name: "verdict", string: "invalid")
            writer.member(name: "code", string: reason.code)
            writer.member(name: "message", string: reason.description)
        case .indeterminate(let reason):
            writer.member(name: "verdict", string: "indeterminate")
            writer.member(name: "code", string: reason.code)
            writer.member(name: "message", string: reason.description)
        }
    }
}

/// What a statement says as members of a JSON object, with names that scripts can read aloud.
enum ClaimsJSON {
    static func write(_ claims: Claims, keyID: String, algorithm: KeyAlgorithm, _ writer: inout JSONWriter) {
        writer.member(name: "jti", string: claims.id.text)
        writer.member(name: "kid", string: keyID)
        writer.member(name: "algorithm", string: algorithm.rawValue)
        writer.member(name: "issuer", string: claims.issuer)
        writer.member(name: "subject", string: claims.subject.text)
        if let audience = claims.audience { writer.member(name: "audience", string: audience) }
        writer.member(name: "issued_at", integer: claims.issuedAt)
        writer.member(name: "payload", string: claims.payload)
        writer.member(name: "reason", string: claims.reason)
        writer.member(name: "auth_level", integer: Int64(claims.level.rawValue))
        writer.member(name: "authenticator_type", integer: Int64(claims.authenticatorType.rawValue))
        if !claims.methods.isEmpty { writer.member(name: "amr", strings: claims.methods.map(\.rawValue)) }
        if let time = claims.authTime { writer.member(name: "auth_time", integer: time) }
        if let device = claims.device { writer.member(name: "device", string: device.text) }
        writer.member(name: "ceremony", string: claims.ceremony.text)
    }
}
