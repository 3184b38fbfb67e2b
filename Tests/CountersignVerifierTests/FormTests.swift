import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Foundation
import Testing

@Suite("The text of a statement")
struct FormTests {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    @Test("One newline may follow, and nothing else may stand around a statement (V14)")
    func around() throws {
        let text = try Draft.example.text()
        #expect(try Judge.code(text) == "valid")
        #expect(try Judge.code(text + Array("\n".utf8)) == "valid")
        for behind in [
            "\n\n", "\r\n", "\r", "\n ", " \n", " ", "\t", "\u{0}", "\n\u{0}", ".", "=", "==", "\u{B}", "\u{85}",
            "\u{2028}",
        ] {
            #expect(try Judge.code(text + Array(behind.utf8)) == "not-compact", "\(behind.debugDescription)")
        }
        for before in [
            " ", "\n", "\r\n", "\t", "\u{FEFF}", "Bearer ", "bearer ", "DPoP ", "\"", ".", "\u{0}", "\u{200B}",
        ] {
            #expect(try Judge.code(Array(before.utf8) + text) == "not-compact", "\(before.debugDescription)")
        }
        #expect(try Judge.code(Array("\"".utf8) + text + Array("\"".utf8)) == "not-compact")
        #expect(try Judge.code(text + Array("\n".utf8) + text) == "not-compact")
    }

    @Test("Nothing there", arguments: ["", "\n"])
    func empty(text: String) throws {
        #expect(try Judge.code(Array(text.utf8)) == "empty")
    }

    @Test("V14, RFC 7515 section 7.1: exactly three parts, none empty")
    func parts() throws {
        let p = Compact.parts(try Draft.example.text())
        for text in [
            "\(p[0]).\(p[1])", "\(p[0])", ".", "..", "...", "\(p[0])..", "..\(p[2])", ".\(p[1]).\(p[2])",
            "\(p[0])..\(p[2])",
            "\(p[0]).\(p[1]).", "\(p[0]).\(p[1]).\(p[2]).", "\(p[0]).\(p[1]).\(p[2]).\(p[2])",
            ".\(p[0]).\(p[1]).\(p[2])",
            "\(p[0]).\(p[1]).\(p[2]).\(p[1]).\(p[2])", "\(p[0])\u{3002}\(p[1])\u{3002}\(p[2])",
            "\(p[0])\u{FF0E}\(p[1])\u{FF0E}\(p[2])",
            "\(p[0])%2E\(p[1])%2E\(p[2])", "\(p[0]):\(p[1]):\(p[2])", "\(p[0]).\(p[1]).\n", "\(p[0])\n.\(p[1]).\(p[2])",
            "\(p[0]).\(p[1]).\(p[2].prefix(40))\n\(p[2].dropFirst(40))", "hello", "\u{1F600}",
        ] { #expect(try Judge.code(Array(text.utf8)) == "not-compact", "\(text)") }
    }

    @Test("V14: the JSON serialisations and a polyglot (CVE-2022-39227) are malformed results")
    func serialisations() throws {
        let p = Compact.parts(try Draft.example.text())
        let text = p.joined(separator: ".")
        for json in [
            #"{"payload":"\#(p[1])","protected":"\#(p[0])","signature":"\#(p[2])"}"#,
            #"{"payload":"\#(p[1])","signatures":[{"protected":"\#(p[0])","signature":"\#(p[2])"}]}"#,
            #"{"payload":"\#(p[1])","header":{"alg":"none"},"signature":""}"#,
            #"{"  \#(p[0]).\#(p[1]).":"","protected":"\#(p[0])","payload":"\#(p[1])","signature":"\#(p[2])"}"#,
            #"{"\#(p[0]).\#(p[1]).\#(p[2])":""}"#, "{}", "{", "{\"", "{}\n", " {}", "{\(text)}",
        ] { #expect(try Judge.code(Array(json.utf8)) == "result", "\(json)") }
        for json in ["[\"\(text)\"]", "\"\(text)\"", "null", "[]"] {
            #expect(try Judge.code(Array(json.utf8)) == "not-compact", "\(json)")
        }
    }

    @Test("V9, RFC 4648 section 3.5: second spellings of each part", arguments: 0...2)
    func spellings(place: Int) throws {
        // Lengths that leave two and three characters in the last group, in every part.
        for filler in ["x", "xx", "xxx"] {
            for algorithm in [KeyAlgorithm.es256, .es384, .rs256] {
                let draft = Draft.example.with("payload", quoted(filler))
                let parts = Compact.parts(try draft.text(Keys.trusted(algorithm)))
                let part = parts[place]
                func code(_ other: String) throws -> String {
                    var parts = parts
                    parts[place] = other
                    return try Judge.code(Array(parts.joined(separator: ".").utf8))
                }
                let last = try #require(part.last)
                let digit = try #require(Self.digits.firstIndex(of: last))
                let spare = [0: 1, 2: 16, 3: 4][part.count % 4] ?? 1
                for other in 0..<64 where other != digit && other / spare == digit / spare {
                    #expect(try code(part.dropLast() + String(Self.digits[other])) == "not-base64url")
                }
                #expect(try code(part + String(repeating: "A", count: (5 - part.count % 4) % 4)) == "not-base64url")
                for wrong in [
                    "=", "==", " ", "\t", "\u{0}", "\u{E9}", "+", "/", "%3D", "\u{FF21}", "~", ",", "\u{200B}",
                    "\u{7F}",
                ] {
                    #expect(try code(part + wrong) == "not-compact", "\(wrong)")
                    #expect(try code(wrong + part) == "not-compact", "\(wrong)")
                    #expect(try code(part.prefix(9) + wrong + part.dropFirst(10)) == "not-compact", "\(wrong)")
                }
                let standard = part.replacing("-", with: "+").replacing("_", with: "/")
                #expect(try code(standard) == (standard == part ? "valid" : "not-compact"))
            }
        }
    }

    @Test("The whole text is judged before what it says: a foreign character first, then the spelling, then the header")
    func order() throws {
        let wrong = Compact.parts(try Draft.example.with(header: #"{"alg":"none"}"#).text())
        #expect(try Judge.code(Array("\(wrong[0]).\(wrong[1]).\(wrong[2])".utf8)) == "header")
        #expect(try Judge.code(Array("\(wrong[0]).\(wrong[1]).A".utf8)) == "not-base64url")
        #expect(try Judge.code(Array("\(wrong[0]).A.\(wrong[2])".utf8)) == "not-base64url")
        #expect(try Judge.code(Array("A.\(wrong[1]).\(wrong[2])+".utf8)) == "not-compact")
        #expect(try Judge.code(Array("A.A.=".utf8)) == "not-compact")
        #expect(try Judge.code(Array("AA.AA.AA".utf8)) == "header")
    }

    /// A valid statement of exactly this many bytes.
    static func statement(bytes: Int) throws -> [UInt8] {
        var draft = Draft.full.with("payload", quoted(String(repeating: "\"", count: 4096)))
        draft["reason"] = quoted(String(repeating: "\\", count: 1024))
        for name in ["request", "notification", "template"] {
            draft[name] = quoted(String(repeating: "\"", count: 160))
        }
        draft["batch"] = quoted("x")
        draft["evidence"] = quoted("x")
        let empty = Compact.parts(try draft.text())
        let wanted = bytes - empty[0].utf8.count - empty[2].utf8.count - 2
        let missing = wanted * 3 / 4 - draft.json.utf8.count
        let first = min(254, max(0, missing))
        draft["batch"] = quoted("x" + String(repeating: "y", count: first))
        draft["evidence"] = quoted("x" + String(repeating: "y", count: missing - first))
        return try draft.text()
    }

    @Test("16,384 bytes are a statement, and one more is not")
    func size() throws {
        let longest = try Self.statement(bytes: 16_384)
        #expect(longest.count == 16_384)
        #expect(try Judge.code(longest) == "valid")
        #expect(try Judge.code(longest + Array("\n".utf8)) == "valid")
        let longer = try Self.statement(bytes: 16_385)
        #expect(longer.count == 16_385)
        #expect(try Judge.code(longer) == "too-long")
        #expect(try Judge.code(longest + Array("\n\n".utf8)) == "too-long")
        #expect(try Judge.code([UInt8](repeating: 0xFF, count: 16_384)) == "not-compact")
        #expect(try Judge.code([UInt8](repeating: UInt8(ascii: "."), count: 16_385)) == "too-long")
    }

    @Test("V15: long texts are refused by their length alone", arguments: ["A", ".", "{", " ", "\n", "e", "\u{0}"])
    func long(character: String) throws {
        let byte = try #require(character.utf8.first)
        let verifier = StatementVerifier(trust: Keys.trust, policy: Judge.lenient)
        for count in [1_000_000, 64 << 20] {
            let text = [UInt8](repeating: byte, count: count)
            let time = ContinuousClock().measure { #expect(verifier.verify(text, at: Judge.now).code == "too-long") }
            // Looking at every byte would take far longer in a debug build.
            #expect(time < .milliseconds(500), "\(count)")
        }
    }
}
