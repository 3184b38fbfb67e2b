import CountersignJOSE
import TestVectors
import Testing

@Suite("V9: base64url has one spelling (RFC 4648 sections 3.5 and 5)")
struct Base64URLTests {
    static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The digits, their neighbours in ASCII, and what lax decoders skip or take.
    static let alphabet: [UInt8] = digits + Array("+/=., \n\r\t@[`{:^~!%".utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xFF]

    /// The bits of a text of up to three characters, written down from RFC 4648 section 4: six a digit, eight a byte, and
    /// what is left over must be zero.
    static func definition(_ text: [UInt8]) -> [UInt8]? {
        var bits = 0
        for character in text {
            guard let value = digits.firstIndex(of: character) else { return nil }
            bits = bits << 6 | value
        }
        switch text.count {
        case 2: return bits & 0xF == 0 ? [UInt8(bits >> 4)] : nil
        case 3: return bits & 0x3 == 0 ? [UInt8(bits >> 10), UInt8(bits >> 2 & 0xFF)] : nil
        default: return nil
        }
    }

    @Test("V9: every text of one or two bytes is decided as defined")
    func allShort() {
        for first in UInt8.min...UInt8.max {
            #expect(Base64URL.decode([first].span) == nil)
            for second in UInt8.min...UInt8.max {
                let text = [first, second]
                if Base64URL.decode(text.span) != Self.definition(text) {
                    Issue.record("\(text)")
                }
            }
        }
    }

    @Test("V9: every text of three bytes, of the digits and what surrounds them, is decided as defined")
    func allOfThree() {
        let values = Self.alphabet.map { byte in Self.digits.firstIndex(of: byte) ?? -1 }
        var decoded: [UInt8] = []
        for (first, a) in zip(Self.alphabet, values) {
            for (second, b) in zip(Self.alphabet, values) {
                for (third, c) in zip(Self.alphabet, values) {
                    decoded.removeAll(keepingCapacity: true)
                    let isAccepted = Base64URL.decode([first, second, third].span, into: &decoded)
                    let isRight =
                        a >= 0 && b >= 0 && c >= 0 && c & 3 == 0
                        ? isAccepted && decoded == [UInt8(a << 2 | b >> 4), UInt8((b & 15) << 4 | c >> 2)]
                        : !isAccepted && decoded.isEmpty
                    if !isRight { Issue.record("\([first, second, third])") }
                }
            }
        }
    }

    @Test("V9: in a longer text every byte in every place is decided alike")
    func everyPlace() {
        let text = Array("AQIDBAUGBwgJCgsMDQ4P".utf8)
        for index in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[index] = byte
                #expect((Base64URL.decode(changed.span) != nil) == Self.digits.contains(byte))
            }
        }
    }

    @Test("V9: texts of every length are what the definition writes, a group of three bytes after the other")
    func everyLength() {
        var numbers = SeededGenerator(seed: 64)
        for count in 0...200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            var text: [UInt8] = []
            for start in stride(from: 0, to: count, by: 3) {
                let group = bytes[start..<min(count, start + 3)]
                let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
                text += (0...group.count).map { Self.digits[bits >> (18 - 6 * $0) & 63] }
            }
            #expect(Array(Base64URL.encode(bytes.span).utf8) == text)
            var decoded: [UInt8] = [1, 2, 3]
            let isAccepted = Base64URL.decode(text.span, into: &decoded)
            #expect(isAccepted && decoded == [1, 2, 3] + bytes)
            // One more bit than the bytes need.
            if count % 3 > 0, let last = text.popLast(), let value = Self.digits.firstIndex(of: last) {
                text.append(Self.digits[value | 1])
                let isAcceptedAgain = Base64URL.decode(text.span, into: &decoded)
                #expect(!isAcceptedAgain && decoded == [1, 2, 3] + bytes)
            }
        }
    }

    @Test("V9: in texts of one to three blocks every byte in every place is decided alike")
    func everyPlaceOfBlocks() {
        for count in [16, 31, 32, 34, 48] {
            let text = Array(repeating: Array("AQIDBAUGBwgJCgsMDQ4PEBES".utf8), count: 3).joined().prefix(count)
            var changed = Array(text.dropLast()) + [UInt8(ascii: "A")]
            for index in 0..<(count - 1) {
                let right = changed[index]
                for byte in UInt8.min...UInt8.max {
                    changed[index] = byte
                    let isAccepted = Base64URL.decode(changed.span) != nil
                    if isAccepted != Self.digits.contains(byte) { Issue.record("\(byte) at \(index) of \(count)") }
                }
                changed[index] = right
            }
        }
    }

    @Test(
        "RFC 4648 section 10, RFC 7515 appendix C",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(bytes: String, text: String) {
        #expect(Base64URL.encode(Array(bytes.utf8).span) == text)
        #expect(Base64URL.decode(Array(text.utf8).span) == Array(bytes.utf8))
    }

    @Test("RFC 7515 appendix C: - and _ are digits")
    func urlDigits() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193].span) == "A-z_4ME")
        #expect(Base64URL.decode(Array("A-z_4ME".utf8).span) == [3, 236, 255, 224, 193])
    }

    @Test("What is encoded is decoded, at every length")
    func roundTrip() {
        var generator = SeededGenerator(seed: 1)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base64URL.decode(Array(Base64URL.encode(bytes.span).utf8).span) == bytes)
        }
    }

    @Test("Appending keeps what is there, also where the text is refused")
    func appending() {
        var bytes: [UInt8] = [1, 2]
        #expect(!Base64URL.decode(Array("AQIDBAUGB!".utf8).span, into: &bytes))
        #expect(bytes == [1, 2])
        #expect(Base64URL.decode(Array("AwQ".utf8).span, into: &bytes))
        #expect(bytes == [1, 2, 3, 4])
        var text = Array("x".utf8)
        Base64URL.append([1].span, to: &text)
        #expect(text == Array("xAQ".utf8))
    }
}
