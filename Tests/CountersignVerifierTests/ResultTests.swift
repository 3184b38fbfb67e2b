import CountersignKeys
import CountersignVerifier
import Testing

@Suite("The JSON result")
struct ResultTests {
    /// The members of the result of the example, in the order of docs/statement.md.
    private static func members(_ draft: Draft = .example) throws -> [(name: String, value: String)] {
        [
            ("dataPayload", draft["payload"] ?? ""), ("dataPayloadLength", "19"), ("reason", draft["reason"] ?? ""),
            ("payloadSignature", "\"" + String(decoding: try draft.text(), as: UTF8.self) + "\""),
            ("dataSignatureID", draft["jti"] ?? ""),
            ("authLevel", draft["auth_level"] ?? ""), ("authenticatorType", draft["authenticator_type"] ?? ""),
        ]
    }

    private static func json(_ members: [(name: String, value: String)], space: String = "") -> String {
        space + "{"
            + members.map { "\(space)\"\($0.name)\"\(space):\(space)\($0.value)\(space)" }.joined(separator: ",") + "}"
            + space
    }

    private static func code(_ json: String, policy: Policy = Judge.lenient) throws -> String {
        try Judge.code(Array(json.utf8), policy: policy)
    }

    private static let names = [
        "dataPayload", "dataPayloadLength", "reason", "payloadSignature", "dataSignatureID", "authLevel",
        "authenticatorType",
    ]

    @Test(
        "S16, S17, S18, S43: what is written has the seven names in their order, and verifies",
        arguments: [Draft.example, .full, .level(0), .level(4)])
    func written(draft: Draft) throws {
        let text = try draft.text()
        let result = SignedResult(claims: try Judge.claims(text), statement: text)
        var members = try Self.members(draft)
        members[3].value = "\"" + String(decoding: text, as: UTF8.self) + "\""
        #expect(String(decoding: result.json, as: UTF8.self) == Self.json(members))
        #expect(try Judge.code(result.json) == "valid")
        #expect(try Judge.code(result.json + [UInt8(ascii: "\n")]) == "valid")
    }

    @Test("Order and white space are free")
    func free() throws {
        var members = try Self.members()
        var numbers = SeededNumbers(seed: 5)
        for space in ["", " ", "\n", "\r\n\t "] {
            for _ in 0..<20 {
                members.shuffle(using: &numbers)
                #expect(try Self.code(Self.json(members, space: space)) == "valid")
            }
        }
        members[0].name = members[0].name.replacing("a", with: #"\u0061"#)
        #expect(try Self.code(Self.json(members)) == "valid", "another spelling of the same name is the same member")
    }

    @Test("A member is missing, repeated, empty, or of a wrong type", arguments: names)
    func member(name: String) throws {
        let members = try Self.members()
        let place = try #require(members.firstIndex { $0.name == name })
        var wrong = members
        wrong.remove(at: place)
        #expect(try Self.code(Self.json(wrong)) == "result")
        for other in [name.lowercased(), name + " ", "x", ""] where other != name {
            wrong = members
            wrong[place].name = other
            #expect(try Self.code(Self.json(wrong)) == "result")
        }
        for value in [members[place].value, "null", "\"x\""] {
            wrong = members + [(name, value)]
            #expect(try Self.code(Self.json(wrong)) == "result")
            wrong = members + [(#"\u00"# + String(name.utf8.first ?? 0, radix: 16) + name.dropFirst(), value)]
            #expect(try Self.code(Self.json(wrong)) == "result")
        }
        let isNumber = ["dataPayloadLength", "authLevel", "authenticatorType"].contains(name)
        for value in [
            "null", "true", "[]", "{}", isNumber ? "\"1\"" : "1", isNumber ? "1.0" : "[\"x\"]",
            isNumber ? "1e0" : "null", "-0.0", "",
        ] {
            wrong = members
            wrong[place].value = value
            #expect(try Self.code(Self.json(wrong)) == "result", "\(value)")
        }
    }

    @Test("An unknown member", arguments: ["x", "signature", "payload", "DataPayload", ""])
    func unknown(name: String) throws {
        for place in 0...7 {
            var members = try Self.members()
            members.insert((name, "1"), at: place)
            #expect(try Self.code(Self.json(members)) == "result")
        }
    }

    private static let differences: [(String, [String])] = [
        ("dataPayload", [#""Pay 5.00 EUR to Eve""#, #""Pay 5.00 EUR to Bob ""#, #""""#, #""pay 5.00 EUR to Bob""#]),
        ("reason", [#""Invoice 18""#, #""Invoice 17\n""#, #""""#]),
        (
            "dataSignatureID",
            [#""0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a12""#, #""0B8E7A8C-5E7D-4C53-9D0E-0E6B1F7F2A11""#, #""""#]
        ),
        ("authLevel", ["0", "4", "-1", "2", "9223372036854775807", "-9223372036854775808"]),
        ("authenticatorType", ["1", "-1", "2", "256"]),
    ]

    @Test("A member that says something else than what is signed", arguments: differences.indices)
    func differs(place: Int) throws {
        let (name, values) = Self.differences[place]
        for value in values {
            var members = try Self.members()
            let index = try #require(members.firstIndex { $0.name == name })
            members[index].value = value
            #expect(try Self.code(Self.json(members)) == "result-differs", "\(value)")
        }
    }

    @Test("W3: texts are compared by bytes, whatever their escapes")
    func bytes() throws {
        let draft = Draft.example.with("payload", "\"\u{E9}\"").with("reason", "\"\u{C5}\"")
        var members = try Self.members(draft)
        #expect(try Self.code(Self.json(members)) == "valid")
        members[0].value = #""\u00E9""#
        #expect(try Self.code(Self.json(members)) == "valid")
        members[0].value = "\"e\u{301}\""
        #expect(try Self.code(Self.json(members)) == "result-differs")
        members[0].value = "\"\u{E9}\""
        members[2].value = "\"\u{212B}\""
        #expect(try Self.code(Self.json(members)) == "result-differs")
    }

    @Test(
        "O07: the length is not compared, but it is one of 1 to 500",
        arguments: [
            ("1", "valid"), ("500", "valid"), ("0", "result"), ("501", "result"), ("-1", "result"),
            ("9223372036854775808", "result"), ("19.0", "result"),
        ])
    func length(value: String, code: String) throws {
        var members = try Self.members()
        members[1].value = value
        #expect(try Self.code(Self.json(members)) == code)
    }

    @Test("The statement inside is judged like any other, and it has no newline")
    func statement() throws {
        var members = try Self.members()
        let text = String(decoding: try Draft.example.text(), as: UTF8.self)
        for (value, code) in [
            (text + #"\n"#, "result"), (" " + text, "not-compact"), ("", "empty"), (#"\n"#, "empty"),
            ("x", "not-compact"), (text + "=", "not-compact"),
            (String(decoding: try Draft.example.text(Keys.stranger(.es256)), as: UTF8.self), "unknown-key"),
            (String(repeating: "A", count: 16_385), "too-long"), (#"{\"a\":1}"#, "not-compact"),
            ("\u{1F600}", "not-compact"),
            (text.dropLast(2) + "AA", "signature"),
            (text.dropLast(1) + "B", text.last == "B" ? "valid" : "not-base64url"),
        ] {
            members[3].value = "\"\(value)\""
            let found = try Self.code(Self.json(members))
            #expect(
                found == code || value.hasSuffix("AA") && found == "valid"
                    || value.hasSuffix("B") && found == "signature", "\(value)")
        }
        let key = try Keys.trusted(.es256).keyID
        let forged = Draft.example.with(header: #"{"alg":"ALG","kid":"\#(key)","typ":"countersign+jwt"}"#)
        members[3].value = "\"" + String(decoding: try forged.text(Keys.stranger(.es256)), as: UTF8.self) + "\""
        #expect(try Self.code(Self.json(members)) == "signature")
        members[0].value = #""x""#
        #expect(
            try Self.code(Self.json(members)) == "result-differs", "what differs is found before any key is looked up")
    }

    @Test("V6: malformed JSON, and what is no result")
    func malformed() throws {
        let json = Self.json(try Self.members())
        for wrong in [
            json + "x", json + json, String(json.dropLast()), json.replacing(",\"reason\"", with: ",,\"reason\""),
            json + "\u{0}", "{}", "{",
            "{\"a\":" + String(repeating: "[", count: 60_000), "{" + String(repeating: "\"a\":1,", count: 9000),
            json + ",", "{\n" + json,
        ] { #expect(try Self.code(wrong) == "result") }
        #expect(try Self.code("\u{FEFF}" + json) == "not-compact")
        #expect(try Self.code("[" + json + "]") == "not-compact")
        let blank = String(repeating: " ", count: 65_536 - json.utf8.count)
        #expect(try Self.code(json + blank) == "valid")
        #expect(try Self.code(blank + json) == "valid")
        #expect(try Self.code(json + blank + " ") == "too-long")
        #expect(try Self.code(String(repeating: " ", count: 65_537) + json) == "too-long")
        #expect(try Self.code(String(repeating: " ", count: 100)) == "not-compact")
    }

    @Test("The policy is asked too")
    func policy() throws {
        #expect(try Self.code(Self.json(Self.members(.level(0))), policy: Policy()) == "level-too-low")
    }
}
