/// The payload that stands for a document: `sha256:<64 lower-case hex digits> <file name>`, one line.
public struct FileDigest: Sendable {
    /// The SHA-256 of the document, 32 bytes.
    public let digest: [UInt8]
    /// The file's name without its folders, for people; not empty.
    public let name: String

    /// The digest of a document that was read elsewhere; nil unless it has 32 bytes and the name is one line,
    /// not empty.
    public init?(sha256 digest: [UInt8], name: String) {
        guard digest.count == 32, !name.isEmpty, !name.utf8.contains(UInt8(ascii: "\n")) else { return nil }
        self.digest = digest
        self.name = name
    }

    /// Reads the line; nil if it has another form.
    public init?(line: String) {
        let bytes = Array(line.utf8)
        guard bytes.count > 72, bytes.starts(with: "sha256:".utf8), bytes[71] == UInt8(ascii: " "),
            !bytes.contains(UInt8(ascii: "\n"))
        else { return nil }
        guard let digest = Hex.bytes(of: bytes[7..<71]) else { return nil }
        self.digest = digest
        name = String(decoding: bytes[72...], as: UTF8.self)
    }

    /// The line that is signed.
    public var line: String {
        "sha256:\(Hex.text(of: digest)) \(name)"
    }
}
