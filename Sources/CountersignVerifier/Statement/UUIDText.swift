/// A UUID of version 4 (RFC 9562) in its one lower-case spelling: `jti`, `ceremony` and `device` of a statement.
public struct UUIDText: Sendable, Hashable, CustomStringConvertible {
    /// 36 ASCII characters, lower case.
    public let text: String

    /// Takes a text that is such a UUID already, and nil for any other: upper case, braces, the `urn:uuid:` prefix,
    /// other versions and variants, the nil UUID.
    public init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        for (index, byte) in text.utf8.enumerated() {
            let isRight =
                switch index {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                case 14: byte == UInt8(ascii: "4")
                case 19: (0x38...0x39).contains(byte) || (0x61...0x62).contains(byte)
                default: (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                }
            guard isRight else { return nil }
        }
        self.text = text
    }

    /// The text itself.
    public var description: String { text }
}
