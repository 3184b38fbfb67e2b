import CountersignVerifier
import Testing

@Suite("How a text is shown")
struct TextEscapeTests {
    @Test(
        "Ordinary visible text of every script stays as it is",
        arguments: [
            "", "Pay 5.00 EUR to Bob", "\u{E9}e\u{301}\u{1EC7}", "\u{5D1}\u{5BC}\u{5B8}", "\u{627}\u{644}\u{633}",
            "\u{0939}\u{093F}\u{0928}\u{094D}\u{0926}\u{0940}", "\u{0E19}\u{0E49}\u{0E33}", "\u{4F60}\u{597D}",
            "\u{D55C}\u{AE00}", "\u{1F44D}\u{1F3FD}", "\u{1F1E9}\u{1F1EA}", "\u{20AC}\u{2126}\u{FFFD}",
            "\u{0F56}\u{0F66}\u{0F92}\u{0FB2}\u{0F74}",
        ])
    func visible(text: String) {
        #expect(TextEscape.escaped(text).utf8.elementsEqual(text.utf8))
    }

    @Test(
        "Attacks W1, W5, C4, X1: what cannot be seen is spelled out",
        arguments: [
            ("a\nb\tc", #"a\nb\tc"#), (#"\n \u{202E}"#, #"\\n \\u{202E}"#),
            ("\u{0}\u{1B}[31m", #"\u{0000}\u{001B}[31m"#),
            ("\r", #"\u{000D}"#), ("\u{7F}\u{9B}", #"\u{007F}\u{009B}"#), ("\u{202E}x\u{2069}", #"\u{202E}x\u{2069}"#),
            ("\u{200B}\u{200D}\u{2060}\u{FEFF}", #"\u{200B}\u{200D}\u{2060}\u{FEFF}"#),
            ("\u{E0041}\u{E007F}", #"\u{E0041}\u{E007F}"#), ("\u{FE0F}\u{E0100}", #"\u{FE0F}\u{E0100}"#),
            ("\u{E000}\u{10FFFD}", #"\u{E000}\u{10FFFD}"#), ("\u{378}", #"\u{0378}"#), ("\u{FFFF}", #"\u{FFFF}"#),
            ("\u{A0}\u{3000}\u{2003}\u{1680}", #"\u{00A0}\u{3000}\u{2003}\u{1680}"#),
            ("\u{2028}\u{2029}\u{85}", #"\u{2028}\u{2029}\u{0085}"#),
            ("\u{2800}\u{3164}\u{115F}\u{FFA0}", #"\u{2800}\u{3164}\u{115F}\u{FFA0}"#),
            ("\u{AD}\u{34F}\u{61C}", #"\u{00AD}\u{034F}\u{061C}"#), ("\u{FFFC}\u{1D159}", #"\u{FFFC}\u{1D159}"#),
            ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\\u{200D}\u{1F469}"),
        ])
    func hidden(text: String, shown: String) {
        #expect(TextEscape.escaped(text) == shown)
    }

    @Test("Combining marks need a character to stand on, and only a few may stand on one")
    func marks() {
        #expect(TextEscape.escaped("\u{301}a") == #"\u{0301}a"#)
        #expect(TextEscape.escaped("a \u{301}") == #"a \u{0301}"#)
        #expect(TextEscape.escaped("\n\u{301}\u{301}") == #"\n\u{0301}\u{0301}"#)
        #expect(TextEscape.escaped("\u{200B}\u{20DD}") == #"\u{200B}\u{20DD}"#)
        let marks = { (count: Int) in String(repeating: "\u{301}", count: count) }
        #expect(TextEscape.escaped("a" + marks(4)).utf8.elementsEqual(("a" + marks(4)).utf8))
        #expect(TextEscape.escaped("a" + marks(6)).utf8.elementsEqual(("a" + marks(4) + #"\u{0301}\u{0301}"#).utf8))
    }

    @Test(
        "Spaces at the ends are spelled out on request, those between are not",
        arguments: [
            ("", ""), ("a b", "a b"), (" ", #"\u{0020}"#), ("   ", #"\u{0020}\u{0020}\u{0020}"#),
            (" a", #"\u{0020}a"#), ("a b  ", #"a b\u{0020}\u{0020}"#), (" \n ", #"\u{0020}\n\u{0020}"#),
            (" \u{301}a", #"\u{0020}\u{0301}a"#), ("a \u{301}", #"a \u{0301}"#), (#"\u{0020}"#, #"\\u{0020}"#),
            (" \u{E9} ", "\\u{0020}\u{E9}\\u{0020}"),
        ])
    func outerSpaces(text: String, shown: String) {
        #expect(TextEscape.escaped(text, outerSpaces: true) == shown)
    }

    @Test("Every scalar is either itself or one escape, and no two look alike")
    func unambiguous() {
        var shown: Set<[UInt8]> = []
        var count = 0
        for value in (UInt32(0)...0x10FFFF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            count += 1
            let text = TextEscape.escaped(String(scalar))
            shown.insert(Array(text.utf8))
            let isEscape = text.utf8.first == UInt8(ascii: "\\") && text.utf8.count >= 2
            if !isEscape { #expect(text.unicodeScalars.elementsEqual([scalar])) }
            if scalar.properties.isDefaultIgnorableCodePoint || scalar.value < 0x20 { #expect(isEscape) }
        }
        #expect(shown.count == count)
    }
}
