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
        // Whole blocks are written; what the last one has too much is taken away.
        let blocks = (bytes.count + Base64Block.byteCount - 1) / Base64Block.byteCount
        let surplus = blocks * Base64Block.digitCount - (bytes.count * 4 + 2) / 3
        text.append(addingCapacity: blocks * Base64Block.digitCount) { (output: inout OutputSpan<UInt8>) in
            var place = output.count
            output.append(repeating: 0, count: blocks * Base64Block.digitCount)
            var target = output.mutableSpan
            // Bytes are what it has: any may be written.
            var raw = unsafe target.mutableBytes
            for block in 0..<blocks {
                let bytes = load(bytes, at: block * Base64Block.byteCount)
                raw.storeBytes(of: Base64Block(bytes: bytes).digits, toByteOffset: place, as: Base64Block.Bytes.self)
                place += Base64Block.digitCount
            }
            output.removeLast(surplus)
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
        guard text.count % 4 != 1 else { return false }
        let count = text.count / 4 * 3 + (text.count % 4) * 3 / 4
        // Each block is written as two numbers, and the second has two bytes too many.
        let blocks = text.count / Base64Block.digitCount + 1
        let room = blocks * Base64Block.byteCount + 2
        var isValid = false
        bytes.append(addingCapacity: room) { (output: inout OutputSpan<UInt8>) in
            let start = output.count
            output.append(repeating: 0, count: room)
            var target = output.mutableSpan
            // Bytes are what it has: any may be written.
            var raw = unsafe target.mutableBytes
            var areDigits = Base64Block.Bytes(repeating: 0xFF)
            for block in 0..<blocks {
                let read = Base64Block(digits: loadDigits(text, at: block * Base64Block.digitCount))
                areDigits &= read.areDigits
                let bytes = read.bytes
                let place = start + block * Base64Block.byteCount
                raw.storeBytes(of: bytes[0].bigEndian, toByteOffset: place, as: UInt64.self)
                raw.storeBytes(of: bytes[1].bigEndian, toByteOffset: place + 6, as: UInt64.self)
            }
            // The last block is filled up with zeros, so that what is behind the last byte are the spare bits.
            isValid = areDigits == Base64Block.Bytes(repeating: 0xFF) && output[start + count] == 0
            output.removeLast(isValid ? room - count : room)
        }
        return isValid
    }

    /// Sixteen digits of `text` from `index` on; behind its end stand digits of the value 0.
    @inline(__always)
    private static func loadDigits(_ text: Span<UInt8>, at index: Int) -> Base64Block.Bytes {
        let left = text.count - index
        if left >= Base64Block.digitCount {
            // The raw span checks the bounds; any sixteen bytes will do.
            return unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Base64Block.Bytes.self)
        }
        let zeros: UInt64 = 0x4141_4141_4141_4141
        return Base64Block.bytes(
            ByteScan.word(text, orEndAt: index) | zeros << (8 * left),
            ByteScan.word(text, orEndAt: index + 8) | zeros << max(0, 8 * (left - 8)))
    }

    /// Twelve bytes from `index` on, as a block takes them; behind the end stand zeros.
    @inline(__always)
    private static func load(_ bytes: Span<UInt8>, at index: Int) -> SIMD2<UInt64> {
        SIMD2(
            ByteScan.word(bytes, orEndAt: index).byteSwapped, ByteScan.word(bytes, orEndAt: index + 6).byteSwapped)
    }
}
