import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Foundation
import TestVectors
import Testing

@Suite("V17, V18: tokens of other kinds presented as statements")
struct ForeignTokenTests {
    private static let formats: Set<String> = [
        "empty", "too-long", "not-compact", "not-base64url", "header", "type", "algorithm", "key-id", "result",
    ]

    /// Every string in a JSON file that looks like a compact JWS, and every object as text.
    private static func tokens(in path: String) throws -> [[UInt8]] {
        var tokens: [[UInt8]] = []
        func visit(_ value: Any) throws {
            switch value {
            case let text as String where text.count(where: { $0 == "." }) == 2 || text.hasPrefix("eyJ"):
                tokens.append(Array(text.utf8))
            case let list as [Any]: try list.forEach(visit)
            case let object as [String: Any]:
                if object["payload"] != nil || object["signatures"] != nil || object["jws"] is [String: Any] {
                    tokens.append(Array(try JSONSerialization.data(withJSONObject: object)))
                }
                try object.values.forEach(visit)
            default: break
            }
        }
        try visit(try JSONSerialization.jsonObject(with: VectorFile.suite(path)))
        return tokens
    }

    @Test(
        "Wycheproof, the JOSE cookbook, Okta's push challenges, DPoP proofs of RFC 9449",
        .enabled(if: VectorFile.suites != nil),
        arguments: [
            ("wycheproof/json_web_signature_test.json", 300), ("okta-devices-swift/push-challenge-jwts.json", 2),
            ("rfc9449-dpop/examples.json", 2), ("ietf-jose-cookbook/jws/4_1.rsa_v15_signature.json", 2),
            ("ietf-jose-cookbook/jws/4_2.rsa-pss_signature.json", 2),
            ("ietf-jose-cookbook/jws/4_3.ecdsa_signature.json", 2),
            ("ietf-jose-cookbook/jws/4_4.hmac-sha2_integrity_protection.json", 2),
            ("ietf-jose-cookbook/jws/4_8.multiple_signatures.json", 1), ("ietf-jose-cookbook/curve25519/jws.json", 2),
        ])
    func suites(path: String, count: Int) throws {
        let tokens = try Self.tokens(in: path)
        #expect(tokens.count >= count)
        let verifier = StatementVerifier(trust: Keys.trust, policy: Judge.lenient)
        for token in tokens {
            let code = verifier.verify(token, at: Judge.now).code
            #expect(Self.formats.contains(code), "\(code): \(String(decoding: token.prefix(200), as: UTF8.self))")
        }
    }

    @Test(
        "V17: tokens of this service's own keys, rightly signed, for another purpose",
        arguments: [
            "JWT", "at+jwt", "dpop+jwt", "countersign-keys+jwt", "countersign-session+jwt", "okta-devicebind+jwt",
        ])
    func own(type: String) throws {
        for algorithm in KeyAlgorithm.allCases {
            let key = try Keys.trusted(algorithm)
            let header = #"{"alg":"ALG","kid":"KID","typ":"\#(type)"}"#
            #expect(try Judge.code(Draft.example.with(header: header).text(key)) == "type")
            let other = try CompactJWS.sign(
                Array(#"{"iss":"a","sub":"alice"}"#.utf8), type: "countersign+jwt", keyID: key.keyID,
                with: key.makeSigner())
            #expect(try Judge.code(other) == "claim-set")
        }
    }

    @Test("A key history presented as a statement, and a statement as a history")
    func history() throws {
        let history = try HistoryDraft.example().text()
        #expect(try Judge.code(history) == "type" || Judge.code(history) == "too-long")
        let root = try Keys.root()
        #expect(refusal(of: try Draft.example.text(root), root: root.keyID) == .malformedHistory)
    }
}
