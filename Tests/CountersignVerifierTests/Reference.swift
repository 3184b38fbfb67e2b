import CountersignKeys
import CountersignVerifier
import Foundation

/// The rules of docs/statement.md once more, with Foundation's JSON and plain patterns.
enum Reference {
    private static let uuid = #"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"#

    static func accepts(input: [UInt8], _ key: PrivateKey) -> Bool {
        let parts = Compact.parts(input)
        guard let header = try? Compact.decoded(parts[0]), let payload = try? Compact.decoded(parts[1]),
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(key.keyID)","typ":"countersign+jwt"}"#,
            let claims = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        else { return false }
        let known = Set(ClaimName.allCases.map(\.rawValue))
        let (level, type) = (claims["auth_level"] as? Int, claims["authenticator_type"] as? Int)
        let (issuedAt, authTime) = (claims["iat"] as? Int ?? -1, claims["auth_time"] as? Int)
        let methods = claims["amr"] as? [String] ?? []
        return Set(claims.keys).isSubset(of: known)
            && matches(claims["iss"], "^[!-~]{1,255}$") && matches(claims["sub"], "^[a-z0-9][a-z0-9._@-]{0,63}$")
            && (claims["aud"] == nil || matches(claims["aud"], "^[!-~]{1,255}$"))
            && matches(claims["jti"], uuid) && matches(claims["ceremony"], uuid)
            && (claims["device"] == nil || matches(claims["device"], uuid))
            && (0...9_007_199_254_740_991).contains(issuedAt)
            && isText(claims["payload"], 4096, [9, 10]) && isText(claims["reason"], 1024, [])
            && ["request", "notification", "template", "batch", "evidence", "quorum"]
                .allSatisfy { claims[$0] == nil || isText(claims[$0], 255, []) }
            && [[0, 0], [1, 0], [4, 1]].contains([level ?? -1, type ?? -1])
            && claims["acr"] as? String == "urn:countersign:level:\(level ?? -1)"
            && (level == 0) == methods.isEmpty && (level == 0) == (authTime == nil) && (authTime ?? 0) <= issuedAt
            && (authTime ?? 0) >= 0 && Set(methods).count == methods.count
            && Set(methods).isSubset(of: ["pwd", "pin", "fpt", "face", "hwk", "swk", "user", "mfa", "idv", "idv-test"])
            && (level == 4) == (methods.contains("idv") || methods.contains("idv-test"))
    }

    private static func matches(_ value: Any?, _ pattern: String) -> Bool {
        (value as? String)?.range(of: pattern, options: .regularExpression) != nil
    }

    private static func isText(_ value: Any?, _ limit: Int, _ allowed: Set<UInt32>) -> Bool {
        guard let text = value as? String, (1...limit).contains(text.utf8.count) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            if allowed.contains(scalar.value) { return true }
            if scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint {
                return false
            }
            // Bidi_Control is the property of U+061C, U+200E-200F, U+202A-202E and U+2066-2069.
            return !scalar.properties.isBidiControl && ![0x2028, 0x2029].contains(scalar.value)
        }
    }
}
