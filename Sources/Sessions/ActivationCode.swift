package import CountersignKeys

/// What an operator gives a person to enrol a device with: 14 digits of Crockford's base 32, in groups of 4, 5 and 5. The
/// first group says which code it is, the other ten digits (50 bits) are the secret.
///
/// Made to be read out and typed: case, hyphens and spaces do not count, I and L are read as 1, O as 0.
package struct ActivationCode: Sendable, CustomStringConvertible, CustomReflectable {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let count = 14

    /// The code in its one spelling, `XXXX-XXXXX-XXXXX`. A secret.
    package let text: String

    /// The first group, which is no secret: the store finds the code by it.
    package var selector: String { String(decoding: text.utf8.prefix(4), as: UTF8.self) }

    /// A new code, of 70 random bits.
    package static func generate() throws(KeyError) -> ActivationCode {
        var bytes = try SecureRandom.bytes(count)
        defer { wipe(&bytes) }
        // 256 is a multiple of 32: every digit is as likely as the others.
        return ActivationCode(digits: bytes.map { digits[Int($0 & 31)] })
    }

    /// Reads a code as a person typed it, and nil for what cannot be one.
    package init?(_ typed: String) {
        // Room for a separator after every digit; more than that is no slip of the hand.
        guard typed.utf8.count <= 2 * Self.count else { return nil }
        var digits: [UInt8] = []
        for byte in typed.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            guard let digit = Self.digit(byte) else { return nil }
            digits.append(digit)
        }
        guard digits.count == Self.count else { return nil }
        self.init(digits: digits)
    }

    private init(digits: [UInt8]) {
        let hyphen = [UInt8(ascii: "-")]
        text = String(decoding: digits[..<4] + hyphen + digits[4..<9] + hyphen + digits[9...], as: UTF8.self)
    }

    /// What is stored instead of the code: HMAC-SHA256 of ``text``, 32 bytes. With a digest alone, whoever has a copy of
    /// the store could try all 50 bits.
    package func tag(_ key: MACKey) throws(KeyError) -> [UInt8] {
        try key.hmacSHA256(text.utf8.span)
    }

    /// The group that is no secret.
    package var description: String { "ActivationCode(\(selector)-...)" }

    /// Shows nothing, so that `dump` and a debugger's printing do not either.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The digit that a typed character stands for. U is none: Crockford leaves it out.
    private static func digit(_ byte: UInt8) -> UInt8? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
        switch upper {
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        default: return digits.contains(upper) ? upper : nil
        }
    }
}
