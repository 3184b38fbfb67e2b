/// A file of public keys in PEM (RFC 7468): blocks one after the other, with nothing but white space between them.
enum PEMFile {
    private static let begin = Array("-----BEGIN PUBLIC KEY-----".utf8)
    private static let end = Array("-----END PUBLIC KEY-----".utf8)
    private static let maxBlocks = 1000

    /// Where each block stands in `bytes`.
    static func blocks(of bytes: [UInt8]) throws(TrustError) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var index = 0
        while true {
            while index < bytes.count, isSpace(bytes[index]) { index += 1 }
            guard index < bytes.count else { break }
            guard bytes[index...].starts(with: begin) else {
                throw TrustError(.malformedPEM, "only blocks of the kind PUBLIC KEY may be in it")
            }
            guard let last = firstIndex(of: end, in: bytes, from: index + begin.count) else {
                throw TrustError(.malformedPEM, "a block has no end")
            }
            blocks.append(index..<last + end.count)
            index = last + end.count
            guard blocks.count <= maxBlocks else { throw TrustError(.malformedPEM, "more than \(maxBlocks) blocks") }
        }
        return blocks
    }

    private static func firstIndex(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        var index = start
        while index <= bytes.count - pattern.count {
            if bytes[index] == pattern[0], bytes[index...].starts(with: pattern) { return index }
            index += 1
        }
        return nil
    }

    /// Whether a byte is white space between blocks (and of JSON).
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
