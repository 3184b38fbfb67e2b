internal import CountersignJOSE

/// A relying service's name and secret in the header `Authorization: Basic` (RFC 7617, with the encoding of RFC 6749
/// section 2.3.1).
package struct BasicCredentials: Sendable {
    /// The name.
    package let client: String
    /// The secret.
    package let secret: String

    /// Credentials.
    package init(client: String, secret: String) {
        self.client = client
        self.secret = secret
    }

    /// Reads what follows `Basic `; nil for anything that is not base64 of two form-encoded texts with a colon between.
    package init?(_ text: String) {
        let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.utf8.endIndex
        guard text.utf8[end...].allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
        let digits = text.utf8[..<end].map {
            switch $0 {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            // The other alphabet is refused, not mixed in.
            case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "!")
            default: $0
            }
        }
        guard text.utf8.count <= 4096, (digits.count + 3) / 4 * 4 == text.utf8.count,
            let bytes = Base64URL.decode(digits.span), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let client = Percent.decode(Array(bytes[..<colon])),
            let secret = Percent.decode(Array(bytes[(colon + 1)...]))
        else { return nil }
        self.init(client: client, secret: secret)
    }
}
