internal import CountersignJOSE

/// A UUID of version 4 (RFC 9562) in its one lower-case spelling: `jti`, `ceremony` and `device` of a statement.
public struct UUIDText: Sendable, Hashable, CustomStringConvertible {
    /// 36 ASCII characters, lower case.
    public let text: String

    /// Takes a text that is such a UUID already, and nil for any other: upper case, braces, the `urn:uuid:` prefix,
    /// other versions and variants, the nil UUID.
    public init?(_ text: String) {
        let bytes = text.utf8.span
        let dash = UInt8(ascii: "-")
        guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash,
            bytes[14] == UInt8(ascii: "4"), "89ab".utf8.contains(bytes[19]),
            ByteScan.areHexadecimal(bytes, from: 0, count: 8), ByteScan.areHexadecimal(bytes, from: 9, count: 4),
            ByteScan.areHexadecimal(bytes, from: 15, count: 3), ByteScan.areHexadecimal(bytes, from: 20, count: 3),
            ByteScan.areHexadecimal(bytes, from: 24, count: 8), ByteScan.areHexadecimal(bytes, from: 28, count: 8)
        else { return nil }
        self.text = text
    }

    /// The text itself.
    public var description: String { text }
}
