// The only file of this module that loads several bytes at once: reading and writing strings spend their time here.

/// Looks at eight bytes of text at a time.
enum ByteScan {
    /// What ends or interrupts a run of plain characters in a JSON string: the quotation mark, the backslash and the
    /// controls below U+0020.
    ///
    /// - Returns: the offset of the first such byte in `bytes` at or after `start`, or `bytes.count`; and whether a byte
    ///   before it may be no ASCII.
    static func plainRun(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
        var index = start
        var high: UInt64 = 0
        let raw = unsafe bytes.bytes
        while index <= bytes.count - 8 {
            // Within bounds by the line above (and checked again by the span); any eight bytes are a UInt64.
            let word = unsafe UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = special(word)
            if found != 0 {
                let count = found.trailingZeroBitCount / 8
                high |= word & ((1 << (UInt64(count) * 8)) - 1)
                return (index + count, high & highBits == 0)
            }
            high |= word
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            high |= UInt64(byte)
            index += 1
        }
        return (index, high & highBits == 0)
    }

    /// The string of bytes that are known to be ASCII.
    static func string(ascii bytes: Span<UInt8>) -> String {
        unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
    }

    /// Appends a span in one copy.
    static func append(_ span: Span<UInt8>, to bytes: inout [UInt8]) {
        unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends the UTF-8 of a literal in one copy.
    static func append(_ literal: StaticString, to bytes: inout [UInt8]) {
        literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Feeds all bytes to a hasher.
    static func hash(_ span: Span<UInt8>, into hasher: inout Hasher) {
        unsafe span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Whether `bytes` begin, at `start`, with the UTF-8 of a literal.
    static func hasPrefix(_ literal: StaticString, in bytes: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, bytes.count - start >= literal.utf8CodeUnitCount else { return false }
        return literal.withUTF8Buffer { literal in
            for index in literal.indices where unsafe bytes[start + index] != literal[index] { return false }
            return true
        }
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// A word in which the lowest bit that is set belongs to the first special byte. Bits above it mean nothing: a
    /// borrow may run upwards.
    private static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let control = (word &- ones &* 0x20) & ~word
        return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highBits
    }
}
