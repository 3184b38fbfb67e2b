import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

@Suite("Trust from a key set")
struct KeySetTests {
    private static func jwk(_ algorithm: KeyAlgorithm, stranger: Bool = false) throws -> String {
        let key = try stranger ? Keys.stranger(algorithm) : Keys.trusted(algorithm)
        return String(decoding: JWK(key.publicKey).json, as: UTF8.self)
    }

    private static func set(_ keys: String...) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    private static func code(_ draft: Draft, _ key: PrivateKey, trust file: String) throws -> String {
        try StatementVerifier(trust: TrustStore(Array(file.utf8)), policy: Judge.lenient).verify(draft.text(key), at: 0)
            .code
    }

    @Test("RFC 7517: a set of all algorithms", arguments: KeyAlgorithm.allCases)
    func all(algorithm: KeyAlgorithm) throws {
        let file = JWKSet(try KeyAlgorithm.allCases.map { try Keys.trusted($0).publicKey }).json
        let trust = try TrustStore(file)
        #expect(trust.keyCount == 5 && trust.warnings.isEmpty)
        #expect(trust.issuer == nil && trust.serial == nil && trust.expiresAt == nil)
        let verifier = StatementVerifier(trust: trust, policy: Judge.lenient)
        #expect(verifier.verify(try Draft.example.text(Keys.trusted(algorithm)), at: 0).code == "valid")
        #expect(verifier.verify(try Draft.example.text(Keys.stranger(algorithm)), at: 0).code == "unknown-key")
    }

    @Test("A plain set knows no times: its keys are active since for ever")
    func times() throws {
        for iat in ["0", "9007199254740991"] {
            let draft = Draft.example.with("iat", iat).with("auth_time", "0")
            #expect(try Self.code(draft, Keys.trusted(.es256), trust: Self.set(Self.jwk(.es256))) == "valid")
        }
    }

    @Test("A missing kid is computed, and members that nobody knows are ignored")
    func withoutID() throws {
        let jwk = try Self.jwk(.es256)
        let key = try Keys.trusted(.es256)
        let without = jwk.replacing(#""kid":"\#(key.keyID)","#, with: "")
        #expect(without != jwk)
        let more = without.replacing(#""kty""#, with: #""x":1,"foo":{"kid":"a"},"kty""#).replacing(#""x":1,"#, with: "")
        for file in [Self.set(without), Self.set(more), #"{"a":[{}],"keys":[\#(without)],"b":null}"#] {
            #expect(try Self.code(.example, key, trust: file) == "valid")
        }
        for blank in [" ", "\n\r\n\t "] {
            #expect(try Self.code(.example, key, trust: blank + Self.set(jwk) + blank) == "valid")
        }
    }

    @Test("V16: equal kids refuse the file")
    func duplicates() throws {
        let (jwk, id) = (try Self.jwk(.es256), try Keys.trusted(.es256).keyID)
        let skipped = #"{"kid":"\#(id)","kty":"oct","k":"AA"}"#
        let without = jwk.replacing(#""kid":"\#(id)","#, with: "")
        for file in [
            Self.set(jwk, jwk), Self.set(jwk, without), Self.set(without, without), Self.set(jwk, skipped),
            Self.set(skipped, jwk),
            Self.set(try Self.jwk(.edDSA), skipped, skipped),
        ] { #expect(refusal(of: file) == .malformedKeySet) }
        let key = try Keys.trusted(.rs256).copy(for: .ps256)
        let both = Self.set(try Self.jwk(.rs256), String(decoding: JWK(key.publicKey).json, as: UTF8.self))
        #expect(refusal(of: both) == .malformedKeySet, "one RSA key for two algorithms has one thumbprint")
    }

    private static let changes: [Row<@Sendable (String) -> String>] = [
        Row("use enc", { $0.replacing(#""use":"sig""#, with: #""use":"enc""#) }, "unusable-key"),
        Row("use null", { $0.replacing(#""use":"sig""#, with: #""use":null"#) }, "unusable-key"),
        Row("key_ops sign", { $0.replacing(#""use":"sig""#, with: #""key_ops":["sign"]"#) }, "unusable-key"),
        Row("key_ops empty", { $0.replacing(#""use":"sig""#, with: #""key_ops":[]"#) }, "unusable-key"),
        Row("key_ops verify", { $0.replacing(#""use":"sig""#, with: #""key_ops":["verify"]"#) }, "valid"),
        Row("no use", { $0.replacing(#","use":"sig""#, with: "") }, "valid"),
        Row("no alg", { $0.replacing(#""alg":"ES256","#, with: "") }, "valid"),
        Row("alg of another curve", { $0.replacing("ES256", with: "ES384") }, "unusable-key"),
        Row("alg none", { $0.replacing("ES256", with: "none") }, "unusable-key"),
        Row("private member", { $0.replacing(#""kty""#, with: #""d":"AA","kty""#) }, "unusable-key"),
        Row("symmetric member", { $0.replacing(#""kty""#, with: #""k":"AA","kty""#) }, "unusable-key"),
        Row(
            "revoked", { $0.replacing(#""kty""#, with: #""revoked":{"at":1,"reason":"compromised"},"kty""#) },
            "unusable-key"),
        Row("exp", { $0.replacing(#""kty""#, with: #""exp":9007199254740991,"kty""#) }, "unusable-key"),
        Row("nbf", { $0.replacing(#""kty""#, with: #""nbf":0,"kty""#) }, "unusable-key"),
        Row("unknown kty", { $0.replacing(#""kty":"EC""#, with: #""kty":"AKP""#) }, "unusable-key"),
        Row("unknown crv", { $0.replacing("P-256", with: "secp256k1") }, "unusable-key"),
        Row(
            "off the curve",
            {
                $0.replacing(#""x""#, with: #""t""#).replacing(#""y""#, with: #""x""#).replacing(#""t""#, with: #""y""#)
            }, "unusable-key"),
        Row("kty missing", { $0.replacing(#""kty":"EC","#, with: "") }, "unusable-key"),
    ]

    @Test(
        "V16: a key that cannot be used is skipped with a warning, and the good one beside it works", arguments: changes
    )
    func skipped(row: Row<@Sendable (String) -> String>) throws {
        let file = Self.set(row.input(try Self.jwk(.es256)), try Self.jwk(.edDSA))
        #expect(try Self.code(.example, Keys.trusted(.es256), trust: file) == row.code)
        #expect(try Self.code(.example, Keys.trusted(.edDSA), trust: file) == "valid")
        let trust = try TrustStore(Array(file.utf8))
        #expect(trust.warnings.count == (row.code == "valid" ? 0 : 1))
        #expect(trust.warnings.allSatisfy { $0.hasPrefix("key 1 of the set is skipped: ") })
        if row.code != "valid" { #expect(refusal(of: Self.set(row.input(try Self.jwk(.es256)))) == .noUsableKey) }
    }

    @Test("V13, V16: odd entries beside a good key")
    func oddEntries() throws {
        let rsa = try Self.jwk(.rs256).replacing(#""kid":"\#(Keys.trusted(.rs256).keyID)","#, with: "")
        let entries = [
            "null", "1", "[]", "{}", #""x""#, #"{"kty":"oct","k":"AA"}"#, rsa.replacing(#""alg":"RS256","#, with: ""),
            rsa.replacing("AQAB", with: "AQ"), rsa.replacing("AQAB", with: "Aw"),
            #"{"alg":"RS256","e":"AQAB","kty":"RSA","n":"\#(String(repeating: "_", count: 171))"}"#,
            #"{"alg":"RS256","e":"AQAB","kty":"RSA","n":"\#(String(repeating: "_", count: 2731))"}"#,
            #"{"alg":"EdDSA","crv":"Ed25519","kty":"OKP","x":"\#(String(repeating: "A", count: 43))"}"#,
            #"{"alg":"EdDSA","crv":"Ed25519","kty":"OKP","x":"AQ\#(String(repeating: "A", count: 41))"}"#,
            #"{"crv":"X25519","kty":"OKP","x":"\#(String(repeating: "A", count: 43))"}"#,
            #"{"alg":"Ed448","crv":"Ed448","kty":"OKP","x":"\#(String(repeating: "A", count: 76))"}"#,
        ]
        let file = Self.set((entries + [try Self.jwk(.es384)]).joined(separator: ","))
        let trust = try TrustStore(Array(file.utf8))
        #expect(trust.keyCount == 1 && trust.warnings.count == entries.count)
        #expect(try Self.code(.example, Keys.trusted(.es384), trust: file) == "valid")
        for entry in entries { #expect(refusal(of: Self.set(entry)) == .noUsableKey) }
    }

    @Test("V5: the id of a skipped key stands for itself only, byte for byte")
    func skippedID() throws {
        let key = try Keys.stranger(.es256)
        let good = try Self.jwk(.es256)
        func code(_ id: String) throws -> String {
            try Self.code(.example, key, trust: Self.set(#"{"kid":"\#(id)","kty":"oct","k":"AA"}"#, good))
        }
        #expect(try code(key.keyID) == "unusable-key")
        #expect(try code(key.keyID + " ") == "unknown-key")
        #expect(try code("x") == "unknown-key")
        // U+212A is K for Swift's ==; take a kid that has one.
        let kelvin = String(repeating: "K", count: 42) + "A"
        let file = Self.set(#"{"kid":"\#(kelvin.replacing("K", with: "\u{212A}"))","kty":"oct"}"#, good)
        let draft = Draft.example.with(header: #"{"alg":"ALG","kid":"\#(kelvin)","typ":"countersign+jwt"}"#)
        #expect(try Self.code(draft, key, trust: file) == "unknown-key")
    }

    @Test("A wrong kid: the key is skipped, under neither name")
    func wrongID() throws {
        let (mine, other) = (try Keys.trusted(.es256), try Keys.stranger(.es256))
        let file = Self.set(try Self.jwk(.es256).replacing(mine.keyID, with: other.keyID), try Self.jwk(.edDSA))
        #expect(try Self.code(.example, mine, trust: file) == "unknown-key")
        #expect(try Self.code(.example, other, trust: file) == "unusable-key")
    }

    @Test("V6: files that are no key set")
    func malformed() throws {
        let jwk = try Self.jwk(.es256)
        for (file, code) in [
            ("", TrustError.Code.unknownFormat), (" ", .unknownFormat), ("x", .unknownFormat),
            ("[\(jwk)]", .unknownFormat),
            ("\u{FEFF}" + Self.set(jwk), .unknownFormat), ("null", .unknownFormat), ("\"\"", .unknownFormat),
            ("{}", .malformedKeySet), ("{", .malformedKeySet), (jwk, .malformedKeySet),
            (#"{"keys":{}}"#, .malformedKeySet),
            (#"{"keys":null}"#, .malformedKeySet), (#"{"keys":"\#("x")"}"#, .malformedKeySet),
            (Self.set(jwk) + "x", .malformedKeySet),
            (Self.set(jwk) + Self.set(jwk), .malformedKeySet), (#"{"keys":[\#(jwk),]}"#, .malformedKeySet),
            (#"{"keys":[\#(jwk)],"keys":[]}"#, .malformedKeySet),
            (#"{"keys":[],"k\u0065ys":[\#(jwk)]}"#, .malformedKeySet),
            (#"{"a":1,"a":1,"keys":[\#(jwk)]}"#, .malformedKeySet),
            (Self.set(jwk.replacing(#""alg""#, with: #""crv":"P-256","alg""#)), .malformedKeySet),
            (#"{"Keys":[\#(jwk)]}"#, .malformedKeySet), (Self.set(jwk).replacing(":", with: "="), .malformedKeySet),
            (#"{"keys":[]}"#, .noUsableKey), ("{\"keys\":" + String(repeating: "[", count: 100_000), .malformedKeySet),
            (Self.set(jwk) + "\u{0}", .malformedKeySet), (#"{"a":"\ud800","keys":[\#(jwk)]}"#, .malformedKeySet),
        ] { #expect(refusal(of: file) == code, "\(file.prefix(60))") }
        let utf16 = Self.set(jwk).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(refusal(of: utf16) == .malformedKeySet)
        #expect(refusal(of: Self.set(jwk), root: try Keys.root().keyID) == .rootNotExpected)
        #expect(refusal(of: Self.set(jwk), root: "x") == .rootMalformed)
    }

    @Test("1 MiB and not a byte more")
    func size() throws {
        let file = Self.set(try Self.jwk(.es256))
        let blank = String(repeating: " ", count: TrustStore.maxBytes - file.utf8.count)
        #expect(TrustStore.maxBytes == 1_048_576)
        #expect(refusal(of: file + blank) == nil)
        #expect(refusal(of: file + blank + " ") == .tooLong)
        #expect(refusal(of: [UInt8](repeating: UInt8(ascii: "e"), count: TrustStore.maxBytes + 1)) == .tooLong)
    }

    @Test("Each refusal has its own words")
    func words() throws {
        let texts = [
            "", "{}", #"{"keys":[]}"#, "-----BEGIN X-----", "eyJ",
            String(repeating: " ", count: TrustStore.maxBytes + 1),
        ].map { file in
            do {
                _ = try TrustStore(Array(file.utf8))
                return "none"
            } catch { return "\(error)" }
        }
        #expect(Set(texts).count == texts.count && !texts.contains("none"))
    }
}
