import CountersignVerifier
import Testing

@Suite("The values of claims")
struct ClaimValueTests {
    struct Value: Sendable, CustomTestStringConvertible {
        let name: String
        let json: String
        let code: String

        init(_ name: String, _ json: String, _ code: String? = nil) {
            self.name = name
            self.json = json
            self.code = code ?? "claim-\(name)"
        }

        var testDescription: String { "\(name) \(json.prefix(80))" }
    }

    private static func text(_ count: Int) -> String { "\"" + String(repeating: "a", count: count) + "\"" }

    private static let names: [Value] = ["iss", "aud"].flatMap { name in
        [
            Value(name, text(1), "valid"), Value(name, text(255), "valid"), Value(name, #""a\"b\\c""#, "valid"),
            Value(name, #""~!""#, "valid"), Value(name, text(256)), Value(name, #""a b""#), Value(name, #"" ""#),
            Value(name, "\"\u{7F}\""), Value(name, "\"\u{E9}\""), Value(name, #""a\n""#), Value(name, #""\u0000""#),
            Value(name, "\"a\u{200B}\""), Value(name, "\"\u{FF0F}\""), Value(name, "\"\u{212A}\""),
            Value(name, #"["a"]"#, "claims"),
        ]
    }

    private static let subjects: [Value] = [
        Value("sub", #""0""#, "valid"), Value("sub", #""a@b.example""#, "valid"), Value("sub", text(64), "valid"),
        Value("sub", text(65)), Value("sub", #""Alice""#), Value("sub", #""alice ""#), Value("sub", #"".a""#),
        Value("sub", #""a/b""#), Value("sub", #""alice\n""#), Value("sub", "\"\u{430}lice\""),
        Value("sub", "\"a\u{301}\""), Value("sub", #""\u0000""#), Value("sub", "\"\u{212A}\""),
    ]

    private static let ids: [Value] = ["jti", "device", "ceremony"].flatMap { name in
        [
            Value(name, #""0B8E7A8C-5E7D-4C53-9D0E-0E6B1F7F2A11""#),
            Value(name, #""0b8e7a8c-5e7d-1c53-9d0e-0e6b1f7f2a11""#),
            Value(name, #""0b8e7a8c-5e7d-7c53-9d0e-0e6b1f7f2a11""#),
            Value(name, #""0b8e7a8c-5e7d-4c53-7d0e-0e6b1f7f2a11""#),
            Value(name, #""0b8e7a8c-5e7d-4c53-cd0e-0e6b1f7f2a11""#),
            Value(name, #""00000000-0000-0000-0000-000000000000""#),
            Value(name, #""ffffffff-ffff-ffff-ffff-ffffffffffff""#),
            Value(name, #""0b8e7a8c5e7d4c539d0e0e6b1f7f2a11""#),
            Value(name, #""{0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11}""#),
            Value(name, #""0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a1""#),
            Value(name, #""0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a111""#),
            Value(name, #""0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a1 ""#),
            Value(name, #""urn:uuid:0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11""#),
            Value(name, "\"0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a1\u{661}\""),
            Value(name, #""ffffffff-ffff-4fff-bfff-ffffffffffff""#, "valid"),
        ]
    }

    private static let reserved: [Value] = ["request", "notification", "template", "batch", "evidence"]
        .flatMap {
            [
                Value($0, text(255), "valid"), Value($0, "\"\u{E9}e\u{301} \u{1F600}\"", "valid"), Value($0, text(256)),
                Value($0, "\"" + String(repeating: "\u{E9}", count: 128) + "\""), Value($0, #""a\nb""#),
                Value($0, #""a\tb""#),
                Value($0, "\"\u{202E}\""), Value($0, "\"\u{FFFF}\""), Value($0, #""\u0000""#),
            ]
        }

    private static let quorums: [Value] =
        ["1/1", "1/9999", "2/3", "16/16", "16/9999"].map { Value("quorum", "\"\($0)\"", "valid") }
        + [
            "", "2", "0/1", "3/2", "17/17", "2/10000", "02/3", "2/03", "2/3/4", "2/3 ", "2//3", "/3", "2/", "+2/3",
            "2/\u{663}", "2\u{2044}3", "99999999999999999999/3",
        ].map { Value("quorum", "\"\($0)\"") }

    private static let acrs: [Value] = [
        "urn:countersign:level:0", "urn:countersign:level:4", "urn:countersign:level:01", "urn:countersign:level:1 ",
        "URN:countersign:level:1", "urn:countersign:level:", "1", "urn:countersign:level:2",
        "urn:mace:incommon:iap:silver",
    ].map { Value("acr", "\"\($0)\"") }

    private static let methods: [Value] = [
        Value("amr", "[]"), Value("amr", #"["pwd","pwd"]"#), Value("amr", #"["pwd","pin","pwd"]"#),
        Value("amr", #"["PWD"]"#),
        Value("amr", #"["otp"]"#), Value("amr", #"[""]"#), Value("amr", #"["pwd "]"#), Value("amr", #"["idv"]"#),
        Value("amr", #"["idv-test"]"#), Value("amr", #"["pwd","idv"]"#), Value("amr", "[\"hw\u{212A}\"]"),
        Value("amr", "[" + [String](repeating: #""pwd""#, count: 11).joined(separator: ",") + "]"),
        Value("amr", "[" + [String](repeating: #""pwd""#, count: 1000).joined(separator: ",") + "]"),
        Value("amr", #""pwd""#, "claims"), Value("amr", "null", "claims"), Value("amr", "[null]", "claims"),
        Value("amr", "[1]", "claims"), Value("amr", #"[["pwd"]]"#, "claims"), Value("amr", #"{"0":"pwd"}"#, "claims"),
        Value("amr", #"["pwd",]"#, "claims"), Value("amr", #"[,"pwd"]"#, "claims"),
        Value("amr", #"["pwd" ]"#, "claims"),
        Value("amr", #"["\u0070wd"]"#, "claims"), Value("amr", #"["pwd""#, "claims"),
        Value("amr", #"["pwd","pin","fpt","face","hwk","swk","user","mfa"]"#, "valid"),
        Value("amr", #"["mfa","user","swk","hwk","face","fpt","pin","pwd"]"#, "valid"),
    ]

    private static let times: [Value] = [
        Value("iat", "9007199254740991", "valid"), Value("auth_time", "0", "valid"),
        Value("auth_time", "1767225600", "valid"),
        Value("auth_time", "1767225601"), Value("auth_time", "9007199254740991"),
        Value("iat", "1767225599", "claim-auth_time"),
    ]

    @Test("The value of one claim", arguments: names + subjects + ids + reserved + quorums + acrs + methods + times)
    func value(value: Value) throws {
        let draft = ["iss", "aud", "request", "quorum"].contains(value.name) ? Draft.full : .example
        #expect(try Judge.code(draft.with(value.name, value.json)) == value.code)
    }

    @Test("S04, S05, S10: every level with every type from -1 to 7", arguments: -1...7, -1...7)
    func matrix(level: Int, type: Int) throws {
        let code =
            switch (level, type) {
            case (0, 0), (1, 0), (4, 1): "valid"
            case (0, 0...1), (1, 0...1), (4, 0...1): "level-and-type"
            case (0, _), (1, _), (4, _): "claim-authenticator_type"
            default: "claim-auth_level"
            }
        #expect(try Judge.code(Draft.level(level, type: type)) == code)
    }

    @Test("acr contradicts the level", arguments: [0, 1, 4], [0, 1, 4])
    func acr(level: Int, other: Int) throws {
        let draft = Draft.level(level).with("acr", #""urn:countersign:level:\#(other)""#)
        #expect(try Judge.code(draft) == (level == other ? "valid" : "claim-acr"))
    }

    private static let levels: [Row<Draft>] = [
        Row("level 0 with amr", Draft.level(0).with("amr", #"["pwd"]"#), "claim-amr"),
        Row("level 0 with an empty amr", Draft.level(0).with("amr", "[]"), "claim-amr"),
        Row("level 0 with auth_time", Draft.level(0).with("auth_time", "1"), "claim-auth_time"),
        Row(
            "level 0 with both", Draft.example.with("auth_level", "0").with("acr", #""urn:countersign:level:0""#),
            "claim-amr"),
        Row(
            "level 0 with a device", Draft.level(0).with("device", #""9d3c1a52-0c7e-4b9f-a6f4-6a2f1b0c8d33""#), "valid"),
        Row("level 1 without amr", Draft.example.with("amr", nil), "claim-set"),
        Row("level 1 without auth_time", Draft.example.with("auth_time", nil), "claim-set"),
        Row("level 1 without both", Draft.example.with("amr", nil).with("auth_time", nil), "claim-set"),
        Row("level 4 without amr", Draft.level(4).with("amr", nil), "claim-set"),
        Row("level 4 without auth_time", Draft.level(4).with("auth_time", nil), "claim-set"),
        Row("level 4 without idv", Draft.level(4).with("amr", #"["pwd"]"#), "claim-amr"),
        Row("level 4 with mfa only", Draft.level(4).with("amr", #"["face","mfa"]"#), "claim-amr"),
        Row("level 4 with idv and more", Draft.level(4).with("amr", #"["pwd","idv"]"#), "valid"),
        Row("level 4 with idv-test", Draft.level(4).with("amr", #"["idv-test"]"#), "valid"),
        Row("level 4 with both kinds", Draft.level(4).with("amr", #"["idv","idv-test"]"#), "valid"),
        Row(
            "level 4 with all ten",
            Draft.level(4).with("amr", #"["pwd","pin","fpt","face","hwk","swk","user","mfa","idv","idv-test"]"#),
            "valid"),
        Row("the pair before the methods", Draft.level(4, type: 0).with("amr", #"["pwd"]"#), "level-and-type"),
        Row("a value before a pair", Draft.level(4, type: 0).with("ceremony", #""x""#), "claim-ceremony"),
    ]

    @Test("What the claims say together", arguments: levels)
    func together(row: Row<Draft>) throws {
        #expect(try Judge.code(row.input) == row.code)
    }

    @Test("The claims are judged from left to right")
    func order() throws {
        var draft = Draft.full
        for place in draft.members.indices.reversed() {
            let name = draft.members[place].name
            draft.members[place].value =
                ["iat", "auth_level", "authenticator_type", "auth_time"].contains(name) ? "-1" : #""""#
            if name == "amr" { draft.members[place].value = "[]" }
            #expect(try Judge.code(draft) == "claim-\(name)")
        }
    }
}
