import CountersignJOSE
import TestVectors
import Testing

@Suite("RFC 8785: the canonical form")
struct CanonicalJSONTests {
    @Test("RFC 8785 appendix B: numbers")
    func numbers() throws {
        for row in try VectorRow.rows("numbers.json", members: ["bits", "text"]) {
            let bits = try #require(UInt64(row["bits"] ?? "", radix: 16))
            let number = JSONNumber(Double(bitPattern: bits))
            #expect(number?.text == row["text"], "\(row.name)")
            if let number { #expect(text(JSON.number(number).canonical()) == row["text"]) }
        }
    }

    @Test("RFC 8785 section 3.2.2: the example")
    func example() throws {
        let input = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        let expected =
            #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
            + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        #expect(text(try JSON(parsing: Array(input.utf8), maxBytes: 1000).canonical()) == expected)
    }

    @Test("RFC 8785 section 3.2.3: members in the order of UTF-16 code units")
    func order() throws {
        let input = #"""
            {"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
            "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}
            """#
        let json = try JSON(parsing: Array(input.utf8), maxBytes: 1000).canonical()
        let names = try #require(try JSON(parsing: json, maxBytes: 1000).object).members.map(\.value.string)
        #expect(
            names == [
                "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
                "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
            ])
    }

    @Test("Every escape and no other")
    func escapes() throws {
        for value in UInt32(0)..<0x100 {
            let scalar = try #require(Unicode.Scalar(value))
            let expected =
                switch scalar {
                case "\u{8}": #"\b"#
                case "\t": #"\t"#
                case "\n": #"\n"#
                case "\u{C}": #"\f"#
                case "\r": #"\r"#
                case "\"": #"\""#
                case "\\": #"\\"#
                case "\u{0}"..<"\u{20}": #"\u00"# + (value < 16 ? "0" : "") + String(value, radix: 16)
                default: String(Character(scalar))
                }
            var writer = JSONWriter()
            writer.string(String(Character(scalar)))
            #expect(writer.bytes == Array("\"\(expected)\"".utf8))
        }
    }

    @Test("A random tree, written and read, is the same tree")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 8785)
        for _ in 0..<2_000 {
            let tree = randomTree(depth: 5, using: &generator)
            let canonical = tree.canonical()
            let parsed = try JSON(parsing: canonical, maxBytes: 1 << 20)
            #expect(isSame(tree, parsed), "\(text(canonical))")
            #expect(parsed.canonical() == canonical)
        }
    }

    @Test("A random double, written and read, is the same double")
    func doubles() throws {
        var generator = SeededGenerator(seed: 64)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let bytes = JSONNumber(value).map { JSON.number($0).canonical() } ?? []
            guard case .number(let number) = try JSON(parsing: bytes, maxBytes: 100) else {
                Issue.record("not a number: \(text(bytes))")
                continue
            }
            #expect(number.double == value)
        }
    }

    /// Members as the canonical form orders them: sorted by UTF-16, written independently of the writer.
    private func isSame(_ left: JSON, _ right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left.double == right.double
        case (.string(let left), .string(let right)): Array(left.utf8) == Array(right.utf8)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let left), .object(let right)):
            left.members.count == right.members.count
                && zip(
                    left.members.sorted { Array($0.name.utf16).lexicographicallyPrecedes(Array($1.name.utf16)) },
                    right.members
                ).allSatisfy { Array($0.name.utf8) == Array($1.name.utf8) && isSame($0.value, $1.value) }
        default: false
        }
    }

    private func randomTree(depth: Int, using generator: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .number(JSONNumber(Int64.random(in: -(1 << 53)...1 << 53, using: &generator)))
        case 3: return JSONNumber(Double(bitPattern: generator.next())).map { .number($0) } ?? .null
        case 4: return .string(randomText(using: &generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
                    randomTree(depth: depth - 1, using: &generator)
                })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<25, using: &generator) {
                let isDeep = Int.random(in: 0..<8, using: &generator) == 0
                object[randomText(using: &generator)] = randomTree(depth: isDeep ? depth - 1 : 0, using: &generator)
            }
            return .object(object)
        }
    }

    /// Texts from all the ranges that matter: controls, ASCII, two, three and four bytes, U+E000 and above.
    private func randomText(using generator: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x22...0x22, 0x5C...0x5C, 0x7F...0x7FF, 0x800...0xD7FF,
            0xE000...0xFFFF, 0x10000...0x10FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
            guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) else { continue }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
