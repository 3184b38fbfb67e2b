internal import CountersignJOSE

/// The three parts of a compact JWS in one line, before anything in them is decoded (RFC 7515 section 7.1).
struct CompactParts {
    /// The header, still base64url.
    let header: Range<Int>
    /// The payload, still base64url.
    let payload: Range<Int>
    /// The signature, still base64url.
    let signature: Range<Int>

    /// What is signed: header, dot, payload.
    var signingInput: Range<Int> { header.lowerBound..<payload.upperBound }

    /// Splits a text of at most `maxBytes`, with at most one newline at its end.
    init(_ text: Span<UInt8>, maxBytes: Int) throws(InvalidReason) {
        var end = text.count
        if end > 0, text[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        guard end > 0 else { throw .empty }
        guard end <= maxBytes else { throw .tooLong }
        let dot = UInt8(ascii: ".")
        let first = ByteScan.first(dot, in: text, from: 0)
        let second = ByteScan.first(dot, in: text, from: min(first + 1, end))
        // A third one is found where the signature is decoded: it is no character of base64url.
        guard first > 0, second > first + 1, second < end - 1 else { throw .notCompact }
        header = 0..<first
        payload = (first + 1)..<second
        signature = (second + 1)..<end
    }

    /// Decodes one part.
    ///
    /// - Throws: `notCompact` if any part has a foreign character, `notBase64URL` if this one has another spelling.
    func decode(_ part: Range<Int>, of text: Span<UInt8>, into bytes: inout [UInt8]) throws(InvalidReason) {
        bytes.removeAll(keepingCapacity: true)
        guard !Base64URL.decode(text.extracting(part), into: &bytes) else { return }
        for part in [header, payload, signature] {
            for index in part where !Self.isBase64URL(text[index]) { throw .notCompact }
        }
        throw .notBase64URL
    }

    private static func isBase64URL(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
