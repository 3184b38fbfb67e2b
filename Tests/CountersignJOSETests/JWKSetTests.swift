import CountersignJOSE
import CountersignKeys
import Testing

@Suite("JWK sets: RFC 7517 section 5, and what a trust file may be")
struct JWKSetTests {
    private static let good = Result { try PrivateKey(generating: .es256).publicKey }
    private static let other = Result { try PrivateKey(generating: .edDSA).publicKey }

    private func parse(_ text: String) throws(JOSEError) -> JWKSet { try JWKSet.parse(Array(text.utf8).span) }

    @Test("A set that is written is read again, and is canonical")
    func roundTrip() throws {
        let set = JWKSet([try Self.good.get(), try Self.other.get()])
        let read = try JWKSet.parse(set.json.span)
        #expect(read.keys == set.keys && read.skipped.isEmpty)
        #expect(try JSON(parsing: set.json, maxBytes: 10_000).canonical() == set.json)
    }

    @Test("V16: a bad key is skipped with its reason, the good one beside it works")
    func skipping() throws {
        let key = JWK(try Self.good.get())
        let bad = [
            #"{"kty":"oct","k":"AQ","kid":"mac"}"#, #"{"kty":"EC","kid":"no"}"#, "null", "[]", "1", "{}",
            #"{"kty":"XYZ"}"#, #"{"kty":"EC","kid":7}"#,
        ]
        let set = try parse("{\"keys\":[\(bad.joined(separator: ",")),\(text(key.json))]}")
        #expect(set.keys == [key])
        #expect(set.skipped.map(\.index) == Array(0..<8))
        #expect(set.skipped.map(\.keyID) == ["mac", "no", nil, nil, nil, nil, nil, nil])
        #expect(
            set.skipped.map(\.reason.code) == [
                .symmetric, .missingMember, .notAnObject, .notAnObject, .notAnObject, .missingMember, .unknownKeyType,
                .missingMember,
            ])
    }

    @Test("V16: two equal kids refuse the file, of skipped keys too")
    func duplicates() throws {
        let key = text(JWK(try Self.good.get()).json)
        let keyID = JWK(try Self.good.get()).keyID
        let other = text(JWK(try Self.other.get()).json)
        let withoutID = key.replacing("\"kid\":\"\(keyID)\",", with: "")
        for keys in [
            [key, key], [key, other, key], [key, withoutID], [withoutID, withoutID],
            [key, #"{"kty":"oct","kid":"\#(keyID)"}"#], [other, #"{"kid":"a"}"#, #"{"kid":"a","use":"enc"}"#],
            [key, #"{"kid":"\u0061"}"#, #"{"kid":"a"}"#],
        ] {
            let found = code { () throws(JOSEError) in try parse("{\"keys\":[\(keys.joined(separator: ","))]}") }
            #expect(found == "duplicateKeyID", "\(keys)")
        }
        // Canonically equal is not equal.
        let set = try parse("{\"keys\":[\(key),{\"kid\":\"\\u00e9\"},{\"kid\":\"e\\u0301\"}]}")
        #expect(set.keys.count == 1 && set.skipped.count == 2)
    }

    @Test("Members of the set that are not known are ignored, but must be JSON")
    func otherMembers() throws {
        let key = text(JWK(try Self.good.get()).json)
        let before = #"{"note":{"keys":[1]},"é":"\u00e9","keys":[\#(key)]}"#
        #expect(try parse(before).keys.count == 1)
        #expect(try parse(#"{"keys":[\#(key)],"note":[1]}"#).keys.count == 1)
        for (input, refused) in [
            (#"{"keys":[\#(key)],"note":01}"#, "json invalidNumber"),
            (#"{"keys":[\#(key)],"keys":[]}"#, "json duplicateName"),
            (#"{"keys":[\#(key)],"k\u0065ys":[\#(key)]}"#, "json duplicateName"),
            (#"{"a":1,"keys":[\#(key)],"a":1}"#, "json duplicateName"),
            (#"{"keys":[\#(key)],}"#, "json unexpectedByte"), (#"{"keys":[\#(key),]}"#, "json unexpectedByte"),
            (#"{"keys":[\#(key)]}x"#, "json trailingBytes"), (#"{"keys":[\#(key)]"#, "json unexpectedEnd"),
            ("\u{FEFF}{\"keys\":[\(key)]}", "json byteOrderMark"),
            (#"{"keys":[{"kid":1,"kid":2}]}"#, "json duplicateName"),
            (#"{1:1,"keys":[\#(key)]}"#, "json unexpectedByte"),
        ] {
            #expect(code { () throws(JOSEError) in try parse(input) } == refused, "\(input)")
        }
    }

    @Test(
        "What is JSON but no key set, and a set without a usable key",
        arguments: [
            ("[]", "notAKeySet"), ("{}", "notAKeySet"), ("null", "notAKeySet"), ("1", "notAKeySet"),
            ("\"keys\"", "notAKeySet"), (#"{"keys":{}}"#, "notAKeySet"), (#"{"keys":null}"#, "notAKeySet"),
            (#"{"Keys":[]}"#, "notAKeySet"), (#"{"kty":"EC","crv":"P-256"}"#, "notAKeySet"),
            (#"{"keys":[]}"#, "noUsableKey"), (#"{"keys":[{}]}"#, "noUsableKey"), ("", "json unexpectedEnd"),
            ("-----BEGIN PUBLIC KEY-----", "notAKeySet"), ("eyJhbGciOiJFUzI1NiJ9", "json unexpectedByte"),
        ])
    func shapes(input: String, refused: String) {
        #expect(code { () throws(JOSEError) in try parse(input) } == refused)
    }

    @Test("V6: bytes that are no UTF-8, in any member")
    func badUTF8() {
        let bytes = Array(#"{"keys":[],"a":""#.utf8) + [0xC3] + Array("\"}".utf8)
        #expect(code { () throws(JOSEError) in try JWKSet.parse(bytes.span) } == "json invalidUTF8")
    }

    @Test("V15: the caps: 1 MiB, 10,000 keys, 256 members around them")
    func caps() throws {
        let key = text(JWK(try Self.good.get()).json)
        func set(_ skipped: Int) -> String {
            "{\"keys\":[" + String(repeating: "{},", count: skipped) + key + "]}"
        }
        #expect(try parse(set(9_999)).skipped.count == 9_999)
        #expect(code { () throws(JOSEError) in try parse(set(10_000)) } == "tooManyKeys")
        let others = (0..<256).map { "\"\($0)\":0" }
        #expect(try parse("{" + others.dropFirst().joined(separator: ",") + ",\"keys\":[\(key)]}").keys.count == 1)
        let refused = code { () throws(JOSEError) in
            try parse("{" + others.joined(separator: ",") + ",\"keys\":[\(key)]}")
        }
        #expect(refused == "json tooManyValues")
        let padding = String(repeating: " ", count: JWKSet.maxBytes - set(0).utf8.count)
        #expect(try parse(set(0) + padding).keys.count == 1)
        #expect(code { () throws(JOSEError) in try parse(set(0) + padding + " ") } == "tooLong")
    }
}
