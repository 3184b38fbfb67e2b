// The only file of this module, with `Base64Block`, that loads several bytes at once: reading and writing strings spend
// their time here.

/// Looks at eight bytes of text at a time.
package enum ByteScan {
    /// What ends or interrupts a run of plain characters in a JSON string: the quotation mark, the backslash and the
    /// controls below U+0020.
    ///
    /// - Returns: the offset of the first such byte in `bytes` at or after `start`, or `bytes.count`; and whether a byte
    ///   before it may be no ASCII.
    static func plainRun(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
        var index = start
        var high: UInt64 = 0
        while index <= bytes.count - 8 {
            let word = word(bytes, at: index)
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

    /// The offset of the first `byte` in `bytes` at or after `start`, or `bytes.count`.
    package static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int {
        let wanted = ones &* UInt64(byte)
        var index = start
        while index <= bytes.count - 8 {
            let difference = word(bytes, at: index) ^ wanted
            let found = (difference &- ones) & ~difference & highBits
            // The lowest bit belongs to the first; above it a borrow may have set others.
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, bytes[index] != byte { index += 1 }
        return index
    }

    /// Whether all bytes are from `low`, at most 0x7E, to 0x7E: printable ASCII where `low` is the space.
    package static func isPrintable(_ bytes: Span<UInt8>, from low: UInt8 = 0x20) -> Bool {
        let lows = ones &* UInt64(low)
        var found: UInt64 = 0
        var index = 0
        while index <= bytes.count - 8 {
            let word = word(bytes, at: index)
            // What is below `low` borrows, 0x7F carries, and what is above has the bit. A borrow or carry that runs
            // further up comes from a byte that is wrong itself.
            found |= ((word &- lows) & ~word) | (word &+ ones) | word
            index += 8
        }
        guard found & highBits == 0 else { return false }
        while index < bytes.count {
            guard bytes[index] >= low, bytes[index] <= 0x7E else { return false }
            index += 1
        }
        return true
    }

    /// Whether the `count` bytes from `start` on, at most eight, are there and are lower-case hexadecimal digits. Without a
    /// branch for each: whether a digit of a random number is a letter, no processor guesses right.
    package static func areHexadecimal(_ bytes: Span<UInt8>, from start: Int, count: Int) -> Bool {
        guard (0...8).contains(count), start >= 0, bytes.count - start >= count else { return false }
        // Zeros take the places of what is behind.
        let zeros = ones &* 0x30
        let mask = count == 8 ? UInt64.max : 1 << UInt64(8 * count) - 1
        let digits = (word(bytes, orEndAt: start) & mask) | (zeros & ~mask)
        // The upper bit of each byte says whether it is at least what is taken from 0x80; no byte carries into the next.
        func areAtLeast(_ byte: UInt64) -> UInt64 { digits &+ ones &* (0x80 - byte) }
        let numbers = areAtLeast(0x30) & ~areAtLeast(0x3A)
        let letters = areAtLeast(0x61) & ~areAtLeast(0x67)
        return digits & highBits == 0 && (numbers | letters) & highBits == highBits
    }

    /// Whether `bytes` have all of `other` at `start`.
    package static func has(_ other: Span<UInt8>, in bytes: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, bytes.count - start >= other.count else { return false }
        var index = 0
        while index <= other.count - 8 {
            guard word(bytes, at: start + index) == word(other, at: index) else { return false }
            index += 8
        }
        while index < other.count {
            guard bytes[start + index] == other[index] else { return false }
            index += 1
        }
        return true
    }

    /// Whether both have the same bytes.
    package static func areEqual(_ left: [UInt8], _ right: Span<UInt8>) -> Bool {
        left.count == right.count && has(left.span, in: right, at: 0)
    }

    /// Whether `bytes` have, at `start`, the UTF-8 of a literal.
    static func hasPrefix(_ literal: StaticString, in bytes: Span<UInt8>, at start: Int) -> Bool {
        literal.withUTF8Buffer { literal in has(unsafe literal.span, in: bytes, at: start) }
    }

    /// The string of bytes that are known to be ASCII.
    package static func string(ascii bytes: Span<UInt8>) -> String {
        unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
    }

    /// Appends a span in one copy.
    package static func append(_ span: Span<UInt8>, to bytes: inout [UInt8]) {
        unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends a span in one copy, where there is room for it.
    static func append(_ span: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        precondition(span.count <= output.freeCapacity)
        unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            unsafe span.withUnsafeBufferPointer { span in
                // Within the buffer by the line above, and nothing is there yet.
                _ = unsafe buffer.extracting(count...).initialize(fromContentsOf: span)
            }
            count += span.count
        }
    }

    /// Appends the UTF-8 of a literal in one copy, where there is room for it.
    static func append(_ literal: StaticString, to output: inout OutputSpan<UInt8>) {
        literal.withUTF8Buffer { literal in append(unsafe literal.span, to: &output) }
    }

    /// Appends the UTF-8 of a literal in one copy.
    static func append(_ literal: StaticString, to bytes: inout [UInt8]) {
        literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Feeds all bytes to a hasher.
    static func hash(_ span: Span<UInt8>, into hasher: inout Hasher) {
        unsafe span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Eight bytes, the first of them lowest.
    @inline(__always)
    static func word(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
        // The raw span checks the bounds; any eight bytes are a UInt64.
        unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Eight bytes, the first of them lowest; behind the end stand zeros.
    @inline(__always)
    static func word(_ bytes: Span<UInt8>, orEndAt index: Int) -> UInt64 {
        bytes.count - index >= 8 ? word(bytes, at: index) : lastWord(bytes, from: index)
    }

    private static func lastWord(_ bytes: Span<UInt8>, from index: Int) -> UInt64 {
        let left = bytes.count - index
        guard left > 0 else { return 0 }
        if bytes.count >= 8 { return word(bytes, at: bytes.count - 8) >> UInt64(8 * (8 - left)) }
        var word: UInt64 = 0
        for place in (index..<bytes.count).reversed() { word = word << 8 | UInt64(bytes[place]) }
        return word
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// A word in which the lowest bit that is set belongs to the first special byte. Bits above it mean nothing: a
    /// borrow may run upwards.
    private static func special(_ word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let control = (word &- ones &* 0x20) & ~word
        return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highBits
    }
}
