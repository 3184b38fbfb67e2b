import CountersignVerifier
import Testing

@Suite("The set of claims and its one text")
struct ClaimSetTests {
    private static let required = [
        "iss", "sub", "iat", "jti", "payload", "reason", "auth_level", "authenticator_type", "acr", "amr", "auth_time",
        "ceremony",
    ]
    private static let places = Draft.full.members.indices

    @Test("The drafts of these tests are valid: example, full, levels 0 and 4, each optional claim alone that may be")
    func control() throws {
        #expect(Draft.full.members.map(\.name) == ClaimName.allCases.map(\.rawValue))
        for draft in [Draft.example, .full, .level(0), .level(4)] { #expect(try Judge.code(draft) == "valid") }
        for member in Draft.full.members where !Self.required.contains(member.name) {
            // A quorum is the quorum of a request.
            let alone = try Judge.code(Draft.example.with(member.name, member.value))
            #expect(alone == (member.name == "quorum" ? "claim-set" : "valid"))
            let missing = try Judge.code(Draft.full.with(member.name, nil))
            #expect(missing == (member.name == "request" ? "claim-set" : "valid"))
        }
    }

    @Test("A claim is missing", arguments: required)
    func missing(name: String) throws {
        #expect(try Judge.code(Draft.example.with(name, nil)) == "claim-set")
        #expect(try Judge.code(Draft.full.with(name, nil)) == "claim-set")
    }

    @Test("V6: a claim is there twice: next to itself, at the end, with another value, escaped", arguments: places)
    func repeated(place: Int) throws {
        let member = Draft.full.members[place]
        for value in [member.value, "null", #""x""#] {
            var next = Draft.full
            next.members.insert((member.name, value), at: place + 1)
            #expect(try Judge.code(next) == "claim-set")
            var last = Draft.full
            last.members.append((member.name, value))
            #expect(try Judge.code(last) == "claim-set")
        }
        var escaped = Draft.full
        escaped.members.append(
            (#"\u00"# + String(member.name.utf8.first ?? 0, radix: 16) + member.name.dropFirst(), "1"))
        #expect(try Judge.code(escaped) == "claims")
    }

    @Test("Each two neighbours are swapped, and each claim is moved to either end", arguments: places)
    func order(place: Int) throws {
        var moved = Draft.full
        moved.members.append(moved.members.remove(at: place))
        #expect(try Judge.code(moved) == (place == Self.places.last ? "valid" : "claim-set"))
        moved = Draft.full
        moved.members.insert(moved.members.remove(at: place), at: 0)
        #expect(try Judge.code(moved) == (place == 0 ? "valid" : "claim-set"))
        guard place > 0 else { return }
        moved = Draft.full
        moved.members.swapAt(place - 1, place)
        #expect(try Judge.code(moved) == "claim-set")
    }

    @Test(
        "An unknown claim, in any place",
        arguments: ["exp", "nbf", "typ", "kid", "ISS", "iss ", "", "nonce", "level", "cnf", "_sd", "vc", "auth-level"])
    func unknown(name: String) throws {
        for place in 0...Draft.full.members.count {
            var draft = Draft.full
            draft.members.insert((name, #""x""#), at: place)
            #expect(try Judge.code(draft) == "claim-set")
        }
        #expect(try Judge.code(Draft.example.with(claims: Array("{}".utf8))) == "claim-set")
    }

    private static let strings = ClaimName.allCases.map(\.rawValue).filter {
        !["iat", "auth_level", "authenticator_type", "amr", "auth_time"].contains($0)
    }

    @Test("A string must be a JSON string, in its canonical spelling and never empty", arguments: strings)
    func string(name: String) throws {
        let wrong = [
            "null", "true", "1", "[]", "{}", "", #"["x"]"#, "'x'", "x", #""\x""#, #""\/""#, #""\u0061""#,
            #""\u00e9""#, #""\u000A""#, #""\u000a""#, #""\u001F""#, #""\u007f""#, #""\ud800""#, #""\udc00x""#,
            #""\ud83d\ude00""#, #""\u12""#, "\"\u{1}\"", "\"\n\"", "\"\u{0}\"",
        ]
        for value in wrong { #expect(try Judge.code(Draft.full.with(name, value)) == "claims", "\(value)") }
        #expect(try Judge.code(Draft.full.with(name, #""""#)) == "claim-\(name)")
    }

    private static let integers = ["iat", "auth_level", "authenticator_type", "auth_time"]

    @Test("V15: an integer has one spelling; what no 64 bits hold is a wrong value", arguments: integers)
    func integer(name: String) throws {
        let wrong = [
            "null", "true", #""1""#, "[]", "{}", "", "1.0", "1.5", "1e0", "1e3", "1E3", "1e400", "1e308", "-0", "-0.0",
            "+1", "01", "-01", "00", "0x1", "1_0", ".5", "1.", "-", "NaN", "Infinity", "1 ", "--1", "\u{661}",
        ]
        for value in wrong { #expect(try Judge.code(Draft.full.with(name, value)) == "claims", "\(value)") }
        let beyond = [
            "-1", "9007199254740992", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
            "-9223372036854775809", "18446744073709551617", "1" + String(repeating: "0", count: 400),
        ]
        for value in beyond { #expect(try Judge.code(Draft.full.with(name, value)) == "claim-\(name)", "\(value)") }
    }

    private static let json = Draft.example.json
    private static let texts: [Row<String>] = [
        Row("the good one", json, "valid"), Row("space at the start", " " + json, "claims"),
        Row("newline at the end", json + "\n", "claims"), Row("byte order mark", "\u{FEFF}" + json, "claims"),
        Row("space after a comma", json.replacing(",", with: ", "), "claims"),
        Row("space after a colon", json.replacing(":1,", with: ": 1,"), "claims"),
        Row("space before a colon", json.replacing("\"sub\":", with: "\"sub\" :"), "claims"),
        Row("space in a list", json.replacing("[\"pwd\"]", with: "[ \"pwd\"]"), "claims"),
        Row("space before the end", String(json.dropLast()) + " }", "claims"),
        Row("tab", json.replacing(",\"sub\"", with: ",\t\"sub\""), "claims"),
        Row("trailing comma", String(json.dropLast()) + ",}", "claims"),
        Row("comma in front", "{," + json.dropFirst(), "claims"),
        Row("two commas", json.replacing(",\"sub\"", with: ",,\"sub\""), "claims"),
        Row("no comma", json.replacing(",\"sub\"", with: "\"sub\""), "claims"),
        Row("no end", String(json.dropLast()), "claims"), Row("two ends", json + "}", "claims"),
        Row("two objects", json + json, "claims"), Row("NUL behind", json + "\u{0}", "claims"),
        Row("escaped name", json.replacing("\"sub\"", with: #""s\u0075b""#), "claims"),
        Row("name beyond ASCII", json.replacing("\"sub\"", with: "\"s\u{FC}b\""), "claim-set"),
        Row("name that looks alike", json.replacing("\"iss\"", with: "\"\u{456}ss\""), "claim-set"),
        Row("name without quotation marks", json.replacing("\"sub\"", with: "sub"), "claims"),
        Row("array", "[\(json)]", "claims"), Row("string", quoted(json), "claims"), Row("null", "null", "claims"),
        Row("number", "1", "claims"), Row("space", " ", "claims"), Row("empty object", "{}", "claim-set"),
        Row("comment", json.replacing(",\"sub\"", with: "/**/,\"sub\""), "claims"),
        Row("deep array", String(repeating: "[", count: 8000), "claims"),
        Row("deep object", "{\"iss\":" + String(repeating: "{\"a\":", count: 1500) + "1", "claims"),
        Row("deep unknown", "{\"x\":" + String(repeating: "[", count: 8000), "claim-set"),
    ]

    @Test("V6, V15: the one JSON text of the claims", arguments: texts)
    func text(row: Row<String>) throws {
        #expect(try Judge.code(Draft.example.with(claims: Array(row.input.utf8))) == row.code)
    }

    @Test("V6: claims in other encodings, and strings that are no UTF-8 (RFC 3629)")
    func encoding() throws {
        let utf16 = Self.json.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try Judge.code(Draft.example.with(claims: utf16)) == "claims")
        #expect(try Judge.code(Draft.example.with(claims: [0xFF, 0xFE] + utf16)) == "claims")
        let wrong: [[UInt8]] = [
            [0x80], [0xFF], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF0, 0x82, 0x82, 0xAC], [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80],
            [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        ]
        let draft = Draft.example.with("payload", #""@@""#).with("reason", #""~~""#)
        for bytes in wrong {
            for mark in ["@@", "~~"] {
                let halves = draft.json.split(separator: mark, maxSplits: 1)
                let claims = Array(halves[0].utf8) + bytes + Array(halves[1].utf8)
                #expect(try Judge.code(draft.with(claims: claims)) == "claims", "\(bytes)")
            }
        }
    }
}
