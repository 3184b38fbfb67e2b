/// Base64url without padding, RFC 4648 section 5, as RFC 7515 section 2 uses it.
///
/// One sequence of bytes has one text: padding, white space, `+`, `/`, a length of 4n + 1 and spare bits that are not
/// zero are refused. Common decoders let some of these pass, and then one token has several texts.
package enum Base64URL {
    /// The text of `bytes`.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of `bytes`, in ASCII, to `text`. Allocates only where the capacity of `text` is too small.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        let whole = bytes.count / 3 * 3
        text.append(addingCapacity: (bytes.count * 4 + 2) / 3) { (output: inout OutputSpan<UInt8>) in
            var index = 0
            while index < whole {
                let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
                output.append(digit(group >> 18))
                output.append(digit(group >> 12))
                output.append(digit(group >> 6))
                output.append(digit(group))
                index += 3
            }
            switch bytes.count - whole {
            case 1:
                let group = UInt32(bytes[whole]) << 16
                output.append(digit(group >> 18))
                output.append(digit(group >> 12))
            case 2:
                let group = UInt32(bytes[whole]) << 16 | UInt32(bytes[whole + 1]) << 8
                output.append(digit(group >> 18))
                output.append(digit(group >> 12))
                output.append(digit(group >> 6))
            default:
                break
            }
        }
    }

    /// The bytes that `text` stands for, or nil where `text` is not their one spelling.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        return decode(text, into: &bytes) ? bytes : nil
    }

    /// Appends the bytes that `text` stands for to `bytes`, and answers whether `text` is their one spelling; if it is
    /// not, `bytes` is left as it was. Allocates only where the capacity of `bytes` is too small.
    package static func decode(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
        let rest = text.count % 4
        guard rest != 1 else { return false }
        let whole = text.count - rest
        var isValid = false
        bytes.append(addingCapacity: text.count / 4 * 3 + 2) { (output: inout OutputSpan<UInt8>) in
            let start = output.count
            var index = 0
            // Every value of a digit is below 64, so one test at the end finds any byte that is not a digit.
            var seen: UInt32 = 0
            while index < whole {
                let first = value(text[index])
                let second = value(text[index + 1])
                let third = value(text[index + 2])
                let fourth = value(text[index + 3])
                seen |= first | second | third | fourth
                let group = first << 18 | second << 12 | third << 6 | fourth
                output.append(UInt8(truncatingIfNeeded: group >> 16))
                output.append(UInt8(truncatingIfNeeded: group >> 8))
                output.append(UInt8(truncatingIfNeeded: group))
                index += 4
            }
            var spare: UInt32 = 0
            if rest >= 2 {
                var group = value(text[whole]) << 18 | value(text[whole + 1]) << 12
                seen |= value(text[whole]) | value(text[whole + 1])
                output.append(UInt8(truncatingIfNeeded: group >> 16))
                spare = group & 0xFFFF
                if rest == 3 {
                    seen |= value(text[whole + 2])
                    group |= value(text[whole + 2]) << 6
                    output.append(UInt8(truncatingIfNeeded: group >> 8))
                    spare = group & 0xFF
                }
            }
            isValid = seen < 64 && spare == 0
            if !isValid { output.removeLast(output.count - start) }
        }
        return isValid
    }

    /// The digit of the low six bits.
    private static func digit(_ bits: UInt32) -> UInt8 { digits[Int(bits & 63)] }

    /// The value of a digit; 64 and more for what is none.
    private static func value(_ byte: UInt8) -> UInt32 { UInt32(values[Int(byte)]) }

    private static let digits: [UInt8] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
}
