import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

@Suite("The header of a statement")
struct HeaderTests {
    private static let good = #"{"alg":"ALG","kid":"KID","typ":"countersign+jwt"}"#

    private static func header(alg: String = #""ALG""#, kid: String = #""KID""#, typ: String = #""countersign+jwt""#)
        -> String
    {
        #"{"alg":\#(alg),"kid":\#(kid),"typ":\#(typ)}"#
    }

    private static func rows(_ values: [String], _ code: String, _ header: (String) -> String) -> [Row<String>] {
        values.map { Row(String($0.prefix(60)), header($0), code) }
    }

    private static let algorithms =
        rows(
            [
                "none", "None", "NONE", "nOnE", "none ", " none", "", "es256", "Es256", "ES256 ", "ES512", "ES256K",
                "EdDSA25519", "Ed25519", "Ed448", "eddsa", "HS256", "HS384", "HS512", "RS384", "RS512", "PS384",
                "PS512",
                "RS1", "RSA1_5", "dir", "ESP256", "ML-DSA-44", #"ES256\u0000"#, "\u{FF25}S256", "E\u{405}256",
            ].map { "\"\($0)\"" }, "algorithm"
        ) { header(alg: $0) }
        + rows(
            ["null", "[]", #"["ES256"]"#, "{}", "1", "true", "", "ES256", #""ES256\"#, #""ES\u0032\u0035\u0036""#],
            "header"
        ) { header(alg: $0) }

    @Test("V1, RFC 8725 section 3.1: only the five algorithms, only as a string", arguments: algorithms)
    func algorithm(row: Row<String>) throws {
        #expect(try Judge.code(Draft.example.with(header: row.input)) == row.code)
    }

    @Test("V1: none with an empty, a short and the right signature", arguments: ["none", "None", "nOnE"])
    func unsigned(name: String) throws {
        let draft = Draft.example.with(header: Self.header(alg: "\"\(name)\""))
        let parts = Compact.parts(try draft.text())
        #expect(try Judge.code(Array("\(parts[0]).\(parts[1]).".utf8)) == "not-compact")
        #expect(try Judge.code(Array("\(parts[0]).\(parts[1])".utf8)) == "not-compact")
        #expect(try Judge.code(Array("\(parts[0]).\(parts[1]).AA".utf8)) == "algorithm")
        #expect(try Judge.code(draft.text()) == "algorithm")
    }

    @Test("V2: a MAC whose key is the public key, in each of its forms", arguments: KeyAlgorithm.allCases)
    func mac(algorithm: KeyAlgorithm) throws {
        let key = try Keys.trusted(algorithm).publicKey
        let pem = key.pem
        let base64 = pem.split(separator: "\n").dropFirst().dropLast().joined()
        let der = try #require(Data64.decode(base64))
        var secrets = [Array(pem.utf8), Array(pem.dropLast().utf8), der, JWK(key).json, [], Array(JWK(key).keyID.utf8)]
        switch key.components {
        case .ec(let x, let y): secrets += [x, y, x + y, [4] + x + y]
        case .okp(let x): secrets += [x]
        case .rsa(let modulus, let exponent): secrets += [modulus, exponent]
        }
        for secret in secrets {
            for (name, code) in [("HS256", "algorithm"), (algorithm.rawValue, "signature")] {
                let header = Self.header(alg: "\"\(name)\"", kid: "\"\(JWK(key).keyID)\"")
                let input = Compact.signingInput(header: Array(header.utf8), payload: Array(Draft.example.json.utf8))
                let text = Compact.join(input, signature: HMAC.sha256(input, key: secret))
                #expect(try Judge.code(text) == code)
            }
        }
    }

    private static let types =
        rows(
            [
                "JWT", "jwt", "", "countersign+JWT", "Countersign+jwt", "countersign", "countersign+jwt ",
                "application/countersign+jwt", "countersign-keys+jwt", "dpop+jwt", "okta-devicebind+jwt", "at+jwt",
                "secevent+jwt", #"countersign+jwt\u0000"#, "countersign\u{FF0B}jwt", "countersign+jw\u{442}",
                "countersign\u{200B}+jwt",
            ].map { "\"\($0)\"" }, "type"
        ) { header(typ: $0) }
        + rows(["null", "[]", "{}", "1", "false", "", #""countersign\u002bjwt""#, #""countersign+jwt"#], "header") {
            header(typ: $0)
        }

    @Test("V17, RFC 8725 section 3.11: only this typ", arguments: types)
    func type(row: Row<String>) throws {
        #expect(try Judge.code(Draft.example.with(header: row.input)) == row.code)
    }

    private static let longID = String(repeating: "A", count: 10_000)
    private static let keyIDs =
        rows(
            [
                "../../dev/null", "/dev/null", "' OR '1'='1", "x'; DROP TABLE keys; --", #"\u0000"#, "", " ", "KID ",
                " KID", "KID=", #"KID\n"#, #"KID\u0000"#, "KIDA", longID, String(repeating: "A", count: 42),
                String(repeating: "A", count: 44), String(repeating: "A", count: 42) + "B",
                String(repeating: "A", count: 42) + "+", "/" + String(repeating: "A", count: 42),
                String(repeating: "A", count: 40) + "\u{212A}", String(repeating: "\u{FF21}", count: 43),
                String(repeating: "A", count: 42) + "\u{410}", "https://evil.example/jwks.json", "${jndi:ldap://x}",
            ].map { "\"\($0)\"" }, "key-id"
        ) { header(kid: $0) }
        + rows([String(repeating: "A", count: 43)].map { "\"\($0)\"" }, "unknown-key") { header(kid: $0) }
        + rows(["null", "1", "[]", #"["KID"]"#, "{}", "true", "", #""\u0041""#, #""\/""#], "header") { header(kid: $0) }

    @Test("V5: a kid is looked up only if it has the form of a thumbprint, and byte for byte", arguments: keyIDs)
    func keyID(row: Row<String>) throws {
        #expect(try Judge.code(Draft.example.with(header: row.input)) == row.code)
    }

    @Test("V5, RFC 4648 section 3.5: a kid whose spare bits are not zero is another text, not another name of the key")
    func keyIDSpareBits() throws {
        let key = try Keys.trusted(.es256)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(key.keyID.last)
        let place = try #require(digits.firstIndex(of: last))
        for spare in 1...3 {
            let other = key.keyID.dropLast() + String(digits[place + spare])
            #expect(try Judge.code(Draft.example.with(header: Self.header(kid: "\"\(other)\""))) == "key-id")
        }
    }

    private static let others = [
        "alg", "kid", "typ", "cty", "crit", "b64", "zip", "jwk", "jku", "x5u", "x5c", "x5t", "",
    ]
    private static let values = [
        "null", #""""#, "[]", #"["b64"]"#, #"["exp"]"#, "true", "false", "{}", #""https://evil.example""#, "1",
    ]

    @Test("V4, V6, V7, V8: no other member, no member twice, in any place and with any value", arguments: others)
    func otherMember(name: String) throws {
        for value in Self.values {
            let member = "\"\(name)\":\(value)"
            for header in [
                #"{\#(member),"alg":"ALG","kid":"KID","typ":"countersign+jwt"}"#,
                #"{"alg":"ALG",\#(member),"kid":"KID","typ":"countersign+jwt"}"#,
                #"{"alg":"ALG","kid":"KID",\#(member),"typ":"countersign+jwt"}"#,
                #"{"alg":"ALG","kid":"KID","typ":"countersign+jwt",\#(member)}"#,
            ] { #expect(try Judge.code(Draft.example.with(header: header)) == "header") }
        }
    }

    @Test("V4: a header that brings the key with which it is signed")
    func embeddedKey() throws {
        let stranger = try Keys.stranger(.es256)
        let jwk = String(decoding: JWK(stranger.publicKey).json, as: UTF8.self)
        let header = #"{"alg":"ES256","kid":"KID","typ":"countersign+jwt","jwk":\#(jwk)}"#
        #expect(try Judge.code(Draft.example.with(header: header).text(stranger)) == "header")
        #expect(try Judge.code(Draft.example.text(stranger)) == "unknown-key")
    }

    private static let forms: [Row<String>] = [
        Row("missing alg", #"{"kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("missing kid", #"{"alg":"ALG","typ":"countersign+jwt"}"#, "header"),
        Row("missing typ", #"{"alg":"ALG","kid":"KID"}"#, "header"),
        Row("order of RFC 7515's example", #"{"typ":"countersign+jwt","alg":"ALG","kid":"KID"}"#, "header"),
        Row("kid first", #"{"kid":"KID","alg":"ALG","typ":"countersign+jwt"}"#, "header"),
        Row("typ second", #"{"alg":"ALG","typ":"countersign+jwt","kid":"KID"}"#, "header"),
        Row("backwards", #"{"typ":"countersign+jwt","kid":"KID","alg":"ALG"}"#, "header"),
        Row("alg twice", #"{"alg":"ALG","alg":"ALG","kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("alg twice, apart", #"{"alg":"none","kid":"KID","typ":"countersign+jwt","alg":"ALG"}"#, "header"),
        Row("alg twice, escaped", #"{"alg":"ALG","al\u0067":"none","kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("escaped name", #"{"\u0061lg":"ALG","kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("upper-case name", #"{"ALG":"ALG","kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("space inside", #"{"alg":"ALG", "kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("space after colon", #"{"alg": "ALG","kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("space before colon", #"{"alg" :"ALG","kid":"KID","typ":"countersign+jwt"}"#, "header"),
        Row("space at the start", " " + good, "header"), Row("newline at the end", good + "\n", "header"),
        Row("space before the end", #"{"alg":"ALG","kid":"KID","typ":"countersign+jwt" }"#, "header"),
        Row("byte order mark", "\u{FEFF}" + good, "header"), Row("NUL at the end", good + "\u{0}", "header"),
        Row("trailing comma", #"{"alg":"ALG","kid":"KID","typ":"countersign+jwt",}"#, "header"),
        Row("two objects", good + good, "header"), Row("no end", String(good.dropLast()), "header"),
        Row("empty object", "{}", "header"), Row("array", "[\(good)]", "header"), Row("null", "null", "header"),
        Row("string", #""x""#, "header"), Row("number", "1", "header"), Row("single quotes", "{'alg':'ALG'}", "header"),
        Row("comment", good.replacing(",", with: ",/**/"), "header"),
        Row("depth", String(repeating: "[", count: 5000), "header"),
        Row("the good one", good, "valid"),
    ]

    @Test("V6: the one text of a header", arguments: forms)
    func form(row: Row<String>) throws {
        #expect(try Judge.code(Draft.example.with(header: row.input)) == row.code)
    }

    @Test("V6: a header in other encodings")
    func encoding() throws {
        let key = try Keys.trusted(.es256)
        let header = Self.good.replacing("KID", with: key.keyID).replacing("ALG", with: "ES256")
        let payload = Array(Draft.example.json.utf8)
        let utf16 = header.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let bytes = Array(header.utf8)
        for wrong in [
            utf16, [0xFF, 0xFE] + utf16, [0xEF, 0xBB, 0xBF] + bytes, bytes.dropLast() + [0x80, 0x7D],
            Array(header.replacing("ES256", with: "").utf8.prefix(8)) + [0xED, 0xA0, 0x80] + bytes.dropFirst(13),
            bytes.dropLast(2) + [0xC0, 0xA2, 0x7D],
        ] {
            #expect(try Judge.code(Compact.text(header: wrong, payload: payload, key)) == "header")
        }
    }

    @Test("The header's values are judged from left to right: alg, kid, typ")
    func order() throws {
        let wrong = Self.header(alg: #""none""#, kid: #""x""#, typ: #""JWT""#)
        #expect(try Judge.code(Draft.example.with(header: wrong)) == "algorithm")
        let second = Self.header(kid: #""x""#, typ: #""JWT""#)
        #expect(try Judge.code(Draft.example.with(header: second)) == "key-id")
    }
}
