import CountersignKeys
import Sessions
import Testing

@Suite("Activation codes")
struct ActivationCodeTests {
    private let text = "A1B2-C3D4E-F0GHJ"

    @Test("A new code has 14 digits of base 32 in groups of 4, 5 and 5, and reads as itself")
    func form() throws {
        for _ in 0..<200 {
            let code = try ActivationCode.generate()
            let digit = "[0-9A-HJKMNP-TV-Z]"
            #expect(code.text.wholeMatch(of: try Regex("\(digit){4}-\(digit){5}-\(digit){5}")) != nil)
            #expect(ActivationCode(code.text)?.text == code.text)
            #expect(code.text.hasPrefix(code.selector + "-"))
            #expect(code.selector.utf8.count == 4)
        }
    }

    @Test("D5, K7: codes do not repeat, and every digit comes at every place")
    func randomness() throws {
        let codes = try (0..<2_000).map { _ in try ActivationCode.generate().text }
        #expect(Set(codes).count == codes.count)
        for place in 0..<16 where place != 4 && place != 10 {
            #expect(Set(codes.map { Array($0.utf8)[place] }).count == 32)
        }
    }

    @Test(
        "D5: case, hyphens, spaces and look-alike digits are forgiven",
        arguments: [
            "A1B2-C3D4E-F0GHJ", "a1b2-c3d4e-f0ghj", "A1B2C3D4EF0GHJ", "A1B2 C3D4E F0GHJ", " A1B2-C3D4E-F0GHJ ",
            "AIB2-C3D4E-FOGHJ", "Alb2-c3d4e-fOghj", "AiB2C3D4EFoGHJ", "A-1-B-2-C-3-D-4-E-F-0-G-H-J-",
            "A1B2--C3D4E--F0GHJ",
        ])
    func forgiven(typed: String) {
        #expect(ActivationCode(typed)?.text == text)
    }

    @Test(
        "D5: what cannot be a code is none",
        arguments: [
            "", "-", "A1B2", "A1B2-C3D4E-F0GH", "A1B2-C3D4E-F0GHJK", "A1B2-C3D4E-F0GHU", "A1B2-C3D4E-F0GH!",
            "A1B2_C3D4E_F0GHJ", "A1B2\tC3D4E\tF0GHJ", "A1B2-C3D4E-F0GHJ\n", "A1B2\u{2010}C3D4E\u{2010}F0GHJ",
            "A1B2\u{A0}C3D4E-F0GHJ", "\u{FF21}1B2-C3D4E-F0GHJ", "\u{410}1B2-C3D4E-F0GHJ", "A1B2-C3D4E-F\u{660}GHJ",
            "A1B2-C3D4E-F0GHJ\u{301}", "A1B2-C3D4E-F0GHJ\u{0}", "A1B2-C3D4E-F0GHJ              ",
            String(repeating: "A", count: 1 << 20), String(repeating: "-", count: 1 << 20),
        ])
    func refused(typed: String) {
        #expect(ActivationCode(typed) == nil)
    }

    @Test("D5: what is stored is a tag under a key; another code or another key has another")
    func tag() throws {
        let (first, second) = (try MACKey(), try MACKey())
        let code = try #require(ActivationCode(text))
        let tag = try code.tag(first)
        #expect(tag.count == 32)
        #expect(try ActivationCode("aib2c3d4efoghj")?.tag(first) == tag)
        #expect(try ActivationCode("A1B2-C3D4E-F0GHK")?.tag(first) != tag)
        #expect(try ActivationCode("A1B3-C3D4E-F0GHJ")?.tag(first) != tag)
        #expect(try code.tag(second) != tag)
    }

    @Test("K4, L1: a code does not show itself")
    func secrecy() throws {
        let code = try #require(ActivationCode(text))
        var shown = "\(code) \(String(reflecting: code))"
        dump(code, to: &shown)
        #expect(!shown.contains("C3D4E") && !shown.contains("F0GHJ"))
    }
}
