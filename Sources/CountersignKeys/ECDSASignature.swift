/// The two spellings of an ECDSA signature: r and s side by side at their full width (IEEE P1363, RFC 7518 section
/// 3.4), which is ours, and the DER that OpenSSL speaks. Written by hand into buffers of fixed size: nothing is allocated.
enum ECDSASignature {
    /// The bytes of the longest DER: P-384, both numbers with a sign byte.
    static let maxDERCount = 2 + 2 * (2 + 49)

    /// Writes the DER of `signature`, which is 2 x `width` bytes, and says how many bytes that is.
    static func writeDER(
        of signature: UnsafeBufferPointer<UInt8>, width: Int, to output: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var position = 2
        for half in 0..<2 {
            var start = half * width
            let end = start + width
            while start < end - 1, unsafe signature[start] == 0 { start += 1 }
            let needsSign = unsafe signature[start] & 0x80 != 0
            unsafe output[position] = 0x02
            unsafe output[position + 1] = UInt8(end - start + (needsSign ? 1 : 0))
            position += 2
            if needsSign {
                unsafe output[position] = 0
                position += 1
            }
            for index in start..<end {
                unsafe output[position] = signature[index]
                position += 1
            }
        }
        unsafe output[0] = 0x30
        unsafe output[1] = UInt8(position - 2)
        return position
    }

    /// Writes r and s of `der`, as OpenSSL made it, to `output`, which has 2 x `width` bytes, all zero.
    static func writeFixed(
        from der: UnsafeBufferPointer<UInt8>, width: Int, to output: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        guard der.count > 2, unsafe der[0] == 0x30, unsafe Int(der[1]) == der.count - 2 else { return false }
        var position = 2
        for half in 0..<2 {
            guard position + 2 <= der.count, unsafe der[position] == 0x02 else { return false }
            let end = unsafe position + 2 + Int(der[position + 1])
            guard end <= der.count else { return false }
            position += 2
            while position < end, unsafe der[position] == 0 { position += 1 }
            let count = end - position
            guard count <= width else { return false }
            let target = (half + 1) * width - count
            for index in 0..<count { unsafe output[target + index] = der[position + index] }
            position = end
        }
        return position == der.count
    }
}
