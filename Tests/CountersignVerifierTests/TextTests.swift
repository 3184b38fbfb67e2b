import CountersignVerifier
import Testing

@Suite("Payload and reason")
struct TextTests {
    /// The characters that docs/statement.md refuses in both.
    private static let refused: [ClosedRange<UInt32>] = [
        0x00...0x08, 0x0B...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x2029, 0x202A...0x202E,
        0x2066...0x2069, 0xFDD0...0xFDEF,
    ]
    private static let refusedScalars =
        (refused.flatMap(Array.init) + (0...0x10).flatMap { [$0 << 16 | 0xFFFE, $0 << 16 | 0xFFFF] })
        .compactMap { Unicode.Scalar($0) }

    @Test("W1, W4: every refused character, at the start, inside and at the end")
    func refusedCharacters() throws {
        #expect(Self.refusedScalars.count == 9 + 21 + 33 + 1 + 2 + 2 + 5 + 4 + 32 + 34)
        for scalar in Self.refusedScalars {
            for text in ["\(scalar)ab", "a\(scalar)b", "ab\(scalar)", "\(scalar)", "\u{E9}\u{1F600}\(scalar)"] {
                #expect(
                    try Judge.code(Draft.example.with("payload", quoted(text))) == "claim-payload", "\(scalar.value)")
            }
            #expect(
                try Judge.code(Draft.example.with("reason", quoted("a\(scalar)b"))) == "claim-reason", "\(scalar.value)"
            )
        }
    }

    @Test("Newline and tab may stand in a payload, not in a reason", arguments: ["\n", "\t", "a\n\tb\n", "\n\n\n"])
    func newline(text: String) throws {
        #expect(try Judge.code(Draft.example.with("payload", quoted(text))) == "valid")
        #expect(try Judge.code(Draft.example.with("reason", quoted(text))) == "claim-reason")
    }

    @Test(
        "W3, W5: the bytes that were signed are the bytes that come out; nothing is normalised, trimmed or blank",
        arguments: [
            "\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "\u{3A9}", "\u{2126}", "\u{212A}", "K", "\u{FB01}",
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", "\u{1F1E9}\u{1F1EA}", "\u{1F44D}\u{1F3FD}",
            " ", "   ", " a ", "\u{A0}", "\u{3000}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{FEFF}a",
            "\u{3164}",
            "\u{2800}", "\u{AD}", "\u{34F}", "\u{FE0F}", "\u{E0041}\u{E007F}", "\u{E000}", "\u{10FFFD}", "\u{FFFD}",
            "\u{FFFC}",
            "\u{301}", "\u{378}", "\"", "\\", "\\\\\"\"", "\\n", "\\u0041", "</script>", "\u{2027}\u{202F}",
            "\u{FDCF}\u{FDF0}",
            "\u{1FFFD}", "%00", "\u{5D0}\u{627}", "Z\u{351}\u{34B}\u{337}a\u{489}",
        ])
    func unchanged(text: String) throws {
        let draft = Draft.example.with("payload", quoted(text)).with("reason", quoted(text))
        let claims = try Judge.claims(draft.text())
        #expect(claims.payload.utf8.elementsEqual(text.utf8))
        #expect(claims.reason.utf8.elementsEqual(text.utf8))
    }

    @Test(
        "W2: byte limits, in characters of every width",
        arguments: ["a", "\u{E9}", "\u{20AC}", "\u{1F600}", "\"", "\\"])
    func limits(unit: String) throws {
        for (name, limit) in [("payload", 4096), ("reason", 1024)] {
            let count = limit / unit.utf8.count
            let rest = String(repeating: "x", count: limit % unit.utf8.count)
            let text = String(repeating: unit, count: count) + rest
            #expect(try Judge.code(Draft.example.with(name, quoted(text))) == "valid")
            #expect(try Judge.code(Draft.example.with(name, quoted(text + "x"))) == "claim-\(name)")
            #expect(try Judge.code(Draft.example.with(name, quoted("x" + text))) == "claim-\(name)")
        }
    }

    @Test("Characters are not counted by a verifier: 501 of them are fine (W2)")
    func characters() throws {
        let text = String(repeating: "a", count: 501)
        #expect(try Judge.code(Draft.example.with("payload", quoted(text)).with("reason", quoted(text))) == "valid")
    }
}
