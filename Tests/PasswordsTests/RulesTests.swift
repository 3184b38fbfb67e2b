import CountersignKeys
import Passwords
import Testing

@Suite("What a password may be")
struct RulesTests {
    private func refusal(_ body: () throws(PasswordRefusal) -> Void) -> PasswordRefusal? {
        do throws(PasswordRefusal) { try body() } catch { return error }
        return nil
    }

    @Test(
        "C25, S27: refused when it is set",
        arguments: [
            ("", .empty), ("1234567", .tooShort), ("\u{E9}\u{E9}\u{E9}\u{E9}", .tooShort), (" 12345678", .outerSpace),
            ("12345678 ", .outerSpace), ("12345678\u{A0}", .outerSpace), ("\u{3000}12345678", .outerSpace),
            ("12345678\u{2028}", .outerSpace), ("1234\n5678", .control), ("12345678\n", .control),
            ("1234\05678", .control),
            ("\t12345678", .control), ("1234\u{85}5678", .control), ("1234\u{1B}5678", .control),
        ] as [(String, PasswordRefusal)])
    func refused(_ text: String, _ expected: PasswordRefusal) {
        #expect(refusal { () throws(PasswordRefusal) in try PasswordRules.check(secret(text)) } == expected)
    }

    @Test("C25: a password is 1 to 1024 bytes of UTF-8, at least 8 characters")
    func limits() {
        let long = [UInt8](repeating: 97, count: 1024)
        #expect(refusal { () throws(PasswordRefusal) in try PasswordRules.check(secret(long)) } == nil)
        #expect(refusal { () throws(PasswordRefusal) in try PasswordRules.check(secret(long + [97])) } == .tooLong)
        for bytes: [UInt8] in [long.dropLast() + [0xC3], [0xFF] + long.prefix(8), [0xED, 0xA0, 0x80] + long.prefix(8)] {
            #expect(refusal { () throws(PasswordRefusal) in try PasswordRules.check(secret(bytes)) } == .notUTF8)
        }
        for text in ["12345678", "two words", "pässwörter", "日本語日本語日本", "👩‍👩‍👧‍👦 x"] {
            #expect(refusal { () throws(PasswordRefusal) in try PasswordRules.check(secret(text)) } == nil, "\(text)")
        }
    }

    @Test("Attack S14: an answer is 1 to 1024 bytes, whatever they are, and more is not even hashed")
    func answers() {
        let bytes: [([UInt8], PasswordRefusal?)] = [
            ([], .empty), ([0], nil), ([0xFF], nil), (Array(" a ".utf8), nil),
            ([UInt8](repeating: 0, count: 1024), nil),
            ([UInt8](repeating: 97, count: 1025), .tooLong), ([UInt8](repeating: 97, count: 1 << 20), .tooLong),
        ]
        for (bytes, expected) in bytes {
            #expect(refusal { () throws(PasswordRefusal) in try PasswordRules.checkAnswer(secret(bytes)) } == expected)
        }
    }
}
