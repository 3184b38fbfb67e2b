import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

@Suite("The key history")
struct KeyHistoryTests {
    @Test("A history is trusted by its pin, and only by its pin")
    func pin() throws {
        let text = try HistoryDraft.example().text()
        let pin = try Keys.root().keyID
        let trust = try TrustStore(text, root: pin)
        #expect(
            trust.issuer == "urn:uuid:7e0f6d2e-98a8-4a3f-a6e2-0b1f5c1d2e3f" && trust.serial == 1
                && trust.expiresAt == 1_800_000_000
                && trust.keyCount == 1)
        #expect(try TrustStore(text + [UInt8(ascii: "\n")], root: pin).keyCount == 1)
        #expect(refusal(of: text) == .rootNotPinned)
        #expect(refusal(of: text, root: try Keys.stranger(.es256).keyID) == .rootDiffers)
        #expect(refusal(of: text, root: try Keys.trusted(.es256).keyID) == .rootDiffers)
        for wrong in [
            "", "x", pin + " ", String(pin.dropLast()), pin + "A", "../" + pin,
            pin.replacing(pin.prefix(1), with: "\u{FF21}"),
        ] {
            #expect(refusal(of: text, root: wrong) == .rootMalformed)
        }
    }

    @Test("Every algorithm may be the root's", arguments: KeyAlgorithm.allCases)
    func rootAlgorithm(algorithm: KeyAlgorithm) throws {
        let root = try Keys.stranger(algorithm)
        var draft = try HistoryDraft.example()
        draft.root = HistoryDraft.jwk(root)
        #expect(refusal(of: try draft.text(root), root: root.keyID) == nil)
        let other = try Keys.trusted(.edDSA)
        #expect(refusal(of: try draft.text(other), root: root.keyID) == .malformedHistory)
        #expect(refusal(of: try draft.text(root), root: other.keyID) == .rootDiffers)
    }

    @Test("What is signed here is what is read here, every kind of key and every state")
    func roundTrip() throws {
        let root = try Keys.root()
        let states: [(Int64?, TrustedKey.Revocation?)] = [
            (nil, nil), (200, nil), (200, .init(at: 200, reason: .superseded)),
            (200, .init(at: 300, reason: .compromised)),
            (9_007_199_254_740_991, nil),
        ]
        let keys = try zip(KeyAlgorithm.allCases, states).map {
            TrustedKey(key: try Keys.trusted($0).publicKey, notBefore: 100, notAfter: $1.0, revocation: $1.1)
        }
        let history = KeyHistory(
            issuer: "https://sign.example", issuedAt: 400, expiresAt: 500, serial: 7, root: root.publicKey, keys: keys)
        let text = try history.signed(by: root)
        let read = try KeyHistory(text, root: root.keyID)
        #expect(
            read.issuer == "https://sign.example" && read.issuedAt == 400 && read.expiresAt == 500 && read.serial == 7)
        #expect(read.root == root.publicKey && read.keys.map(\.key) == keys.map(\.key))
        #expect(
            read.keys.map(\.notBefore) == keys.map(\.notBefore) && read.keys.map(\.notAfter) == keys.map(\.notAfter))
        #expect(read.keys.map(\.revocation) == keys.map(\.revocation))
        #expect(try read.signed(by: root) == text, "Ed25519 has one signature for one text")
        let elements = try [
            HistoryDraft.element(Keys.trusted(.es256), from: 100),
            HistoryDraft.element(Keys.trusted(.edDSA), from: 100, #","exp":200"#),
            HistoryDraft.element(
                Keys.trusted(.es384), from: 100, #","exp":200,"revoked":{"at":200,"reason":"superseded"}"#),
            HistoryDraft.element(
                Keys.trusted(.ps256), from: 100, #","exp":200,"revoked":{"at":300,"reason":"compromised"}"#),
            HistoryDraft.element(Keys.trusted(.rs256), from: 100, #","exp":9007199254740991"#),
        ]
        var draft = try HistoryDraft(elements)
        (draft.issuer, draft.issuedAt, draft.expiresAt, draft.serial) = (#""https://sign.example""#, "400", "500", "7")
        #expect(try draft.text() == text, "the text of docs/key-history.md, byte for byte")
    }

    private static let headers = [
        #"{"alg":"ALG","kid":"KID","typ":"countersign+jwt"}"#, #"{"alg":"ALG","kid":"KID","typ":"JWT"}"#,
        #"{"alg":"ALG","kid":"KID"}"#, #"{"alg":"none","kid":"KID","typ":"countersign-keys+jwt"}"#,
        #"{"alg":"ES256","kid":"KID","typ":"countersign-keys+jwt"}"#,
        #"{"kid":"KID","alg":"ALG","typ":"countersign-keys+jwt"}"#,
        #"{"alg":"ALG","kid":"KIDA","typ":"countersign-keys+jwt"}"#,
        #"{"alg":"ALG", "kid":"KID","typ":"countersign-keys+jwt"}"#,
        #"{"alg":"ALG","kid":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","typ":"countersign-keys+jwt"}"#,
        #"{"alg":"ALG","kid":"KID","typ":"countersign-keys+jwt","crit":[]}"#,
        #"{"alg":"ALG","kid":"KID","typ":"countersign-keys+jwt"} "#,
    ]

    @Test("The header has the same three members", arguments: headers)
    func header(header: String) throws {
        var draft = try HistoryDraft.example()
        draft.header = header
        #expect(try draft.refusal() == .malformedHistory)
    }

    private static let values: [(@Sendable (inout HistoryDraft, String) -> Void, [String])] = [
        (
            { $0.issuer = $1 },
            [
                #""""#, #""a b""#, "null", "1", "\"\u{E9}\"", "\"" + String(repeating: "a", count: 256) + "\"",
                #""\u0061""#,
            ]
        ),
        (
            { $0.issuedAt = $1 },
            ["-1", "null", "1.0", "1800000000", "1800000001", #""1""#, "9007199254740992", "01", "1e3", "-0"]
        ),
        ({ $0.expiresAt = $1 }, ["0", "1767000000", "1766999999", "9007199254740992", "null", "1800000000.0", "18e8"]),
        ({ $0.serial = $1 }, ["0", "-1", "null", "1.0", "9007199254740992", #""1""#, "01"]),
        (
            { $0.root = $1 },
            [
                "null", "{}", "[]", #""x""#, #"{"kty":"oct","k":"AA"}"#,
                #"{"alg":"EdDSA","crv":"Ed25519","kty":"OKP","x":"AQ"}"#,
            ]
        ),
    ]

    @Test("The value of each claim", arguments: values.indices)
    func value(place: Int) throws {
        let (change, wrong) = Self.values[place]
        for value in wrong {
            var draft = try HistoryDraft.example()
            change(&draft, value)
            #expect(try draft.refusal() == .malformedHistory, "\(value)")
        }
    }

    private static let rests: [Row<String>] = [
        Row("retired", #","exp":5"#, "good"), Row("retired when it began", #","exp":1"#, "good"),
        Row("superseded", #","exp":5,"revoked":{"at":5,"reason":"superseded"}"#, "good"),
        Row("compromised", #","exp":5,"revoked":{"at":9,"reason":"compromised"}"#, "good"),
        Row("exp before nbf", #","exp":0"#, "bad"), Row("exp null", #","exp":null"#, "bad"),
        Row("revoked without exp", #","revoked":{"at":5,"reason":"superseded"}"#, "bad"),
        Row("revoked null", #","exp":5,"revoked":null"#, "bad"), Row("revoked empty", #","exp":5,"revoked":{}"#, "bad"),
        Row("revoked before exp", #","revoked":{"at":5,"reason":"superseded"},"exp":5"#, "bad"),
        Row("another reason", #","exp":5,"revoked":{"at":5,"reason":"lost"}"#, "bad"),
        Row("reason in capitals", #","exp":5,"revoked":{"at":5,"reason":"Superseded"}"#, "bad"),
        Row("reason first", #","exp":5,"revoked":{"reason":"superseded","at":5}"#, "bad"),
        Row("no time", #","exp":5,"revoked":{"reason":"superseded"}"#, "bad"),
        Row("negative time", #","exp":5,"revoked":{"at":-1,"reason":"superseded"}"#, "bad"),
        Row("unknown member in revoked", #","exp":5,"revoked":{"at":5,"reason":"superseded","by":"x"}"#, "bad"),
        Row("unknown member", #","kid":"x""#, "bad"), Row("nbf twice", #","nbf":1"#, "bad"),
        Row("exp twice", #","exp":5,"exp":5"#, "bad"), Row("space", #", "exp":5"#, "bad"),
        Row("fraction", #","exp":5.0"#, "bad"),
        Row("escaped name", #","e\u0078p":5"#, "bad"),
    ]

    @Test("What stands beside a key", arguments: rests)
    func element(row: Row<String>) throws {
        let draft = try HistoryDraft([HistoryDraft.element(Keys.trusted(.es256), from: 1, row.input)])
        #expect(try draft.refusal() == (row.code == "good" ? nil : .malformedHistory))
    }

    @Test("The one text of the claims: order, unknown and repeated members, white space, key members")
    func canonical() throws {
        let good = try HistoryDraft.example()
        let json = good.json
        let key = HistoryDraft.jwk(try Keys.trusted(.es256))
        let id = try Keys.trusted(.es256).keyID
        for wrong in [
            json + " ", " " + json, json + "\n", json + json, String(json.dropLast()), "", "{}", "[]", "null",
            "\u{FEFF}" + json,
            String(json.dropLast()) + #","x":1}"#, String(json.dropLast()) + #","serial":1}"#,
            #"{"x":1,"# + json.dropFirst(),
            json.replacing(#""iat":1767000000,"exp":1800000000"#, with: #""exp":1800000000,"iat":1767000000"#),
            json.replacing(#""serial":1"#, with: #""serial": 1"#), json.replacing(#""iss""#, with: #""\u0069ss""#),
            json.replacing(#""serial":1,"#, with: ""), json.replacing(key, with: "null"),
            json.replacing("[{", with: "{").replacing("}]", with: "}"),
            json.replacing(#""kid":"\#(id)","#, with: ""), json.replacing(#","use":"sig""#, with: ""),
            json.replacing(#"{"alg":"ES256","crv":"P-256","#, with: #"{"crv":"P-256","alg":"ES256","#),
            json.replacing(#""kty":"EC""#, with: #""d":"AA","kty":"EC""#),
            json.replacing(#""kty":"EC""#, with: #""key_ops":["verify"],"kty":"EC""#),
            json.replacing(#""nbf":0"#, with: #""nbf":-1"#), json.replacing(#","nbf":0"#, with: ""),
            json.replacing(#""nbf":0"#, with: #""nbf":null"#),
            json.replacing(#""jwk""#, with: #""key""#),
            json.replacing(#"{"jwk":\#(key),"nbf":0}"#, with: #"{"nbf":0,"jwk":\#(key)}"#),
            json.replacing(#"{"jwk":\#(key),"nbf":0}"#, with: key), String(repeating: "[", count: 100_000),
        ] {
            #expect(wrong != json)
            var draft = good
            draft.claims = wrong
            #expect(try draft.refusal() == .malformedHistory, "\(wrong.prefix(200))")
        }
    }

    @Test("Keys: none, one twice, the root among them, a weak one")
    func keys() throws {
        let good = try HistoryDraft.element(Keys.trusted(.es256))
        let root = try HistoryDraft.element(Keys.root())
        let rsa = try HistoryDraft.element(Keys.trusted(.rs256))
        let padding = try HistoryDraft.element(Keys.trusted(.rs256).copy(for: .ps256))
        for wrong in [
            [], [good, good], [good, good.replacing(#""nbf":0"#, with: #""nbf":5"#)], [root], [good, root],
            [rsa, padding],
            [good, rsa.replacing("AQAB", with: "Aw")], [good, "null"], [good, "{}"], ["[]"],
            [good, #"{"jwk":{"alg":"EdDSA","crv":"Ed25519","kty":"OKP","use":"sig","x":"AQ"},"nbf":0}"#],
        ] { #expect(try HistoryDraft(wrong).refusal() == .malformedHistory) }
        #expect(try HistoryDraft([rsa, good]).refusal() == nil)
    }

    @Test("Any changed character, any truncation")
    func tampered() throws {
        let text = try HistoryDraft.example().text()
        let pin = try Keys.root().keyID
        for place in text.indices {
            var other = text
            other[place] = text[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(refusal(of: other, root: pin) != nil, "\(place)")
        }
        for count in stride(from: 0, to: text.count, by: 7) {
            #expect(refusal(of: Array(text[..<count]), root: pin) != nil)
        }
        for behind in ["\n\n", "\r\n", " ", "=", ".x", "\u{0}"] {
            #expect(refusal(of: text + Array(behind.utf8), root: pin) == .malformedHistory)
        }
        #expect(refusal(of: Array("\n".utf8) + text, root: pin) != nil)
        let other = try HistoryDraft.example().text(Keys.stranger(.es384))
        #expect(refusal(of: other, root: pin) == .malformedHistory)
        let parts = Compact.parts(text)
        let foreign = try HistoryDraft.example().text(Keys.trusted(.edDSA))
        #expect(refusal(of: "\(parts[0]).\(parts[1]).\(Compact.parts(foreign)[2])", root: pin) == .malformedHistory)
    }

    @Test("A history of 1 MiB, as many keys as fit, is read in time; one byte more is not looked at")
    func size() throws {
        // 10,000 keys do not fit into 1 MiB, whatever their kind: the limit that is met first is the size.
        var numbers = SeededNumbers(seed: 1)
        var elements: [String] = []
        let room = TrustStore.maxBytes / 4 * 3 - 500
        let keys = try (0..<64).map { _ in try PrivateKey(generating: .edDSA) }
        elements = keys.map { HistoryDraft.element($0, from: Int64.random(in: 0...1 << 40, using: &numbers)) }
        var count = elements.joined(separator: ",").utf8.count
        while count < room - 400 {
            let key = try PrivateKey(generating: .edDSA)
            elements.append(HistoryDraft.element(key))
            count += (elements.last?.utf8.count ?? 0) + 1
        }
        let text = try HistoryDraft(elements).text()
        #expect(text.count <= TrustStore.maxBytes && text.count > TrustStore.maxBytes * 9 / 10 && elements.count > 4000)
        let pin = try Keys.root().keyID
        var trust: TrustStore?
        let time = try ContinuousClock().measure { trust = try TrustStore(text, root: pin) }
        #expect(trust?.keyCount == elements.count)
        #expect(time < .seconds(20))
        #expect(
            refusal(of: text + [UInt8](repeating: 0x41, count: TrustStore.maxBytes + 1 - text.count), root: pin)
                == .tooLong)
        let many = "[" + [String](repeating: "0", count: 250_000).joined(separator: ",") + "]"
        var draft = try HistoryDraft.example()
        draft.claims = #"{"iss":"a","keys":\#(many)}"#
        #expect(try draft.refusal() == .malformedHistory)
    }
}
