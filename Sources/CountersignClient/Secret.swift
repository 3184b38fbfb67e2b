package import CountersignKeys

/// A password, passcode or token on its way: its bytes are wiped when nobody holds them any more, and it never shows them.
public struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
    /// The bytes.
    package let bytes: SecretBytes

    /// A copy of UTF-8 bytes. The original is the caller's to wipe.
    public init(bytes: [UInt8]) {
        self.bytes = SecretBytes(copying: bytes.span)
    }

    /// A copy of a text. The text itself stays in memory as long as its owner keeps it: prefer ``init(bytes:)``.
    public init(_ text: String) {
        let utf8 = text.utf8
        bytes = SecretBytes(copying: utf8.span)
    }

    /// The bytes that somebody read with care already.
    package init(_ bytes: SecretBytes) { self.bytes = bytes }

    /// Always the same.
    public var description: String { "Secret" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
