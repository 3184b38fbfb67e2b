/// The name of a relying service, which is also the `aud` of the statements that it asks for.
///
/// The grammar is `[a-z0-9][a-z0-9._-]{0,63}`: one spelling a client. Anything else is refused, never folded, trimmed or
/// repaired.
package struct ClientName: Sendable, Hashable, CustomStringConvertible {
    /// The name: ASCII, 1...64 bytes.
    package let text: String

    /// Takes a text that is a client name already, and nil for any other.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count) else { return nil }
        for (index, byte) in text.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                if index == 0 { return nil }
            default: return nil
            }
        }
        self.text = text
    }

    /// The name itself.
    package var description: String { text }
}
