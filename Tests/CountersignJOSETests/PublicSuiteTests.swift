import CountersignJOSE
import CountersignKeys
import Foundation
import TestVectors
import Testing

/// The public JOSE suites. Their tokens have no `typ`, so ``CompactJWS/parse(_:type:maxBytes:allowsKey:)`` refuses all of
/// them, which is tested too; what can be decided without it is decided by the same parts below.
@Suite("V18: public JOSE suites", .enabled(if: VectorFile.suites != nil))
struct PublicSuiteTests {
    /// Valid by the suite, refused here, each with its reason.
    static let stricter: [String: Set<Int>] = [
        "json_web_key_test.json": [2, 13, 14, 15],  // HMAC
        "json_web_signature_test.json": [
            1, 348, 352, 357, 358, 359, 372, 373, 376, 377,  // HMAC (372 and 373 are not base64url either)
            264, 265, 266, 267, 268, 269, 270, 271,  // RS384, RS512
            320, 321, 322, 323, 325, 326, 327, 328,  // PS384, PS512
            346, 350,  // a PS384 token with a key that says PS256
            347, 351,  // P-521
            259, 272,  // an empty payload
        ],
    ]

    private func json(_ path: String) throws -> JSON {
        try JSON(parsing: [UInt8](try VectorFile.suite(path)), maxBytes: 4 << 20, maxValues: 1 << 20)
    }

    /// A key of a suite: public, and without its `kid`, which is no thumbprint.
    private func key(_ object: JSONObject) -> PublicKey? {
        var object = object
        object["kid"] = nil
        return (try? JWK(object))?.key
    }

    /// The signature of a token without `typ`: the parts, the header's JSON, its refused members and its algorithm are
    /// judged as in ``CompactJWS``.
    private func isSigned(_ token: String, by key: PublicKey) -> Bool {
        guard let parts = try? JWSParts(Array(token.utf8), maxBytes: 1 << 20),
            let header = (try? JSON(parsing: parts.header, maxBytes: 1 << 20))?.object,
            header["alg"]?.string == key.algorithm.rawValue, header["jwk"] == nil, header["crit"] == nil
        else { return false }
        return key.isValid(parts.signature.span, for: parts.text.span.extracting(parts.signingInput))
    }

    @Test("V18: Wycheproof", arguments: ["json_web_key_test.json", "json_web_signature_test.json"])
    func wycheproof(file: String) throws {
        let stricter = try #require(Self.stricter[file])
        var count = 0
        for group in try #require(try json("wycheproof/\(file)").object?["testGroups"]?.array) {
            let given = try #require((group.object?["public"] ?? group.object?["private"])?.object)
            let keys = (given["keys"]?.array?.compactMap(\.object) ?? [given]).compactMap { key($0) }
            for test in try #require(group.object?["tests"]?.array) {
                let test = try #require(test.object)
                guard case .number(let number)? = test["tcId"], let id = number.int64 else { continue }
                let token = try #require(test["jws"]?.string)
                let isAccepted = keys.contains { isSigned(token, by: $0) }
                let isValid = test["result"]?.string == "valid" && !stricter.contains(Int(id))
                #expect(isAccepted == isValid, "\(file) \(id) \(test["comment"]?.string ?? "")")
                let entry = code { () throws(JOSEError) in
                    try CompactJWS.parse(Array(token.utf8), type: "test+jwt", maxBytes: 1 << 20)
                }
                #expect(entry != nil, "\(file) \(id): no typ, and accepted")
                if isAccepted { #expect(entry == "wrongType", "\(file) \(id)") }
                count += 1
            }
        }
        #expect(count == (file == "json_web_key_test.json" ? 26 : 401))
    }

    @Test(
        "V18: the cookbook (RFC 7520, RFC 8037)",
        arguments: [
            ("jws/4_1.rsa_v15_signature.json", true), ("jws/4_2.rsa-pss_signature.json", false),  // PS384
            ("jws/4_3.ecdsa_signature.json", false),  // P-521
            ("jws/4_4.hmac-sha2_integrity_protection.json", false), ("curve25519/jws.json", true),
        ])
    func cookbook(path: String, isAccepted: Bool) throws {
        let object = try #require(try json("ietf-jose-cookbook/\(path)").object)
        let input = try #require(object["input"]?.object)
        var jwk = try #require(input["key"]?.object)
        let secret = jwk["d"] ?? jwk["k"]
        #expect(secret != nil && key(jwk) == nil, "a private key is no public key")
        for name in ["d", "p", "q", "dp", "dq", "qi"] { jwk[name] = nil }
        if jwk["alg"] == nil { jwk["alg"] = input["alg"] }
        let output = try #require(object["output"]?.object)
        let token = try #require(output["compact"]?.string)
        #expect((key(jwk).map { isSigned(token, by: $0) } ?? false) == isAccepted)
        // V14: the other serialisations of the same signature.
        for name in ["json", "json_flat"] {
            let other = text(try #require(output[name]).canonical())
            let refused = code { () throws(JOSEError) in try JWSParts(Array(other.utf8), maxBytes: 10_000) }
            #expect(refused == "notThreeParts")
        }
    }

    @Test(
        "V8, V14: detached, unprotected and unencoded payloads of the cookbook",
        arguments: [
            "jws/4_5.signature_with_detached_content.json", "jws/4_6.protecting_specific_header_fields.json",
            "jws/4_7.protecting_content_only.json", "jws/4_8.multiple_signatures.json",
            "rfc7797/4.2.hmac-sha2_b64_false.json", "rfc7797/hmac-sha2_b64_false.json",
        ])
    func unusual(path: String) throws {
        let output = try #require(try json("ietf-jose-cookbook/\(path)").object?["output"]?.object)
        for member in output.members {
            let token = member.value.string ?? text(member.value.canonical())
            #expect(throws: JOSEError.self, "\(path) \(member.name)") {
                try CompactJWS.parse(Array(token.utf8), type: "test+jwt", maxBytes: 10_000)
            }
        }
    }

    @Test(
        "V18: RFC 7515 appendix A, RFC 7520 section 4 (latchset/jose)",
        arguments: [
            ("rfc7515_A.1", false), ("rfc7515_A.2", true), ("rfc7515_A.3", true), ("rfc7515_A.4", false),
            ("rfc7520_4.1", true), ("rfc7520_4.2", false), ("rfc7520_4.3", false), ("rfc7520_4.4", false),
        ])
    func latchset(name: String, isAccepted: Bool) throws {
        let token = text([UInt8](try VectorFile.suite("latchset-jose/\(name).jwsc")))
            .trimmingCharacters(in: .whitespacesAndNewlines)
        var file = [UInt8](try VectorFile.suite("latchset-jose/\(name).jwk"))
        // RFC 7520's files hold the name of the file with their key.
        if file.first != UInt8(ascii: "{") {
            let target = text(file).trimmingCharacters(in: .whitespacesAndNewlines)
            file = [UInt8](try VectorFile.suite("latchset-jose/\(target)"))
        }
        var jwk = try #require(try JSON(parsing: file, maxBytes: 10_000).object)
        for member in ["d", "p", "q", "dp", "dq", "qi"] { jwk[member] = nil }
        if jwk["kty"]?.string == "RSA", jwk["alg"] == nil { jwk["alg"] = .string("RS256") }
        #expect((key(jwk).map { isSigned(token, by: $0) } ?? false) == isAccepted)
    }

    @Test("V1: RFC 7515 A.5, the unsecured JWS")
    func unsecured() throws {
        let token = [UInt8](try VectorFile.suite("latchset-jose/rfc7515_A.5.jwsc"))
        #expect(
            code { () throws(JOSEError) in try CompactJWS.parse(token, type: "test+jwt", maxBytes: 10_000) }
                == "notThreeParts")
    }

    @Test(
        "V16: the key sets of RFC 7515, RFC 7517 and RFC 7520, without their kids",
        arguments: [
            ("rfc7517_A.1.jwkset", 1, "noUsableKey"), ("rfc7517_A.2.jwkset", 0, "noUsableKey"),
            ("rfc7517_A.3.jwkset", 0, "noUsableKey"), ("rfc7515_A.6.jwkset", 0, "noUsableKey"),
            ("rfc7520_4.8.jwkset", 0, "duplicateKeyID"),
        ])
    func keySets(name: String, usable: Int, refused: String) throws {
        let json = try json("latchset-jose/\(name)")
        let keys = try #require(json.object?["keys"]?.array)
        #expect(keys.compactMap { $0.object.flatMap { key($0) } }.count == usable)
        // As they are: their kids are no thumbprints, or there are private halves, or one kid twice.
        #expect(code { () throws(JOSEError) in try JWKSet.parse(json.canonical().span) } == refused)
    }

    @Test("RFC 7638 section 3.1: the thumbprint")
    func thumbprint() throws {
        let jwk = try #require(try json("latchset-jose/rfc7638_3.1.jwk").object)
        let expected = text([UInt8](try VectorFile.suite("latchset-jose/rfc7638_3.1.thp")))
        let key = try #require(self.key(jwk))
        #expect(Thumbprint.sha256(of: key) == expected.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
