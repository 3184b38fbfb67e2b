/// The three parts of a compact JWS (RFC 7515 section 7.1), decoded. Nothing of what they say has been looked at.
package struct JWSParts: Sendable {
    /// The whole text.
    package let text: [UInt8]
    /// What is signed: header and payload as they stand in ``text``, with the dot between them.
    package let signingInput: Range<Int>
    /// The protected header, JSON.
    package let header: [UInt8]
    /// The payload.
    package let payload: [UInt8]
    /// The signature.
    package let signature: [UInt8]

    /// Splits a text of at most `maxBytes` bytes: exactly three parts, each base64url in its one spelling, none empty.
    /// (The JSON serialisations, a detached payload and an unsigned text all fail here.)
    package init(_ text: [UInt8], maxBytes: Int) throws(JOSEError) {
        guard text.count <= maxBytes else {
            throw JOSEError(.tooLong, "at most \(maxBytes) bytes are read, these are \(text.count)")
        }
        let dot = UInt8(ascii: ".")
        guard let first = text.firstIndex(of: dot), let second = text[(first + 1)...].firstIndex(of: dot),
            first > 0, second > first + 1, second + 1 < text.count, !text[(second + 1)...].contains(dot)
        else { throw JOSEError(.notThreeParts, "not three parts with dots between them") }
        self.text = text
        signingInput = 0..<second
        header = try Self.decode(text, 0..<first, "the header")
        payload = try Self.decode(text, first + 1..<second, "the payload")
        signature = try Self.decode(text, second + 1..<text.count, "the signature")
    }

    private static func decode(_ text: [UInt8], _ range: Range<Int>, _ name: String) throws(JOSEError) -> [UInt8] {
        guard let bytes = Base64URL.decode(text.span.extracting(range)) else {
            throw JOSEError(.notBase64URL, "\(name) is not base64url", at: range.lowerBound)
        }
        return bytes
    }
}
