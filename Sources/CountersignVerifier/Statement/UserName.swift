/// The name of a user, which is also the `sub` of a statement.
///
/// The grammar is `[a-z0-9][a-z0-9._@-]{0,63}`: one spelling a user, so that no two accounts look or compare alike
/// (docs/statement.md). Anything else is refused, never folded, trimmed or repaired.
public struct UserName: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The longest name, in bytes.
    public static let maxBytes = 64

    /// The name: ASCII, 1...64 bytes.
    public let text: String

    /// Takes a text that is a user name already, and nil for any other.
    public init?(_ text: String) {
        let bytes = text.utf8.span
        guard (1...Self.maxBytes).contains(bytes.count) else { return nil }
        for index in 0..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "-"):
                if index == 0 { return nil }
            default:
                return nil
            }
        }
        self.text = text
    }

    /// The name itself.
    public var description: String { text }

    /// By bytes.
    public static func < (left: UserName, right: UserName) -> Bool { left.text < right.text }
}
