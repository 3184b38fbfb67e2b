internal import CountersignJOSE
internal import CountersignKeys

/// The place of a statement in its batch, which is signed at once: the claim `batch`, `DIGEST.POSITION.COUNT`
/// (`docs/statement.md`).
///
/// Whoever has all payloads of a batch computes ``digest(of:)`` again: nothing was added, left out or moved since. A verifier does not ask
/// for that, since each statement of a batch stands for itself.
public struct BatchPlace: Sendable, Hashable, CustomStringConvertible {
    /// The digest of the list, 43 characters of base64url.
    public let digest: String
    /// Where in the list the payload is, from 1.
    public let position: Int
    /// How many payloads the list has.
    public let count: Int

    /// A place; nil unless 1 <= position <= count <= 999999999 and the digest has the form of one.
    public init?(digest: String, position: Int, count: Int) {
        guard digest.utf8.count == 43, Base64URL.decode(digest.utf8Span.span)?.count == SHA256.count,
            1 <= position, position <= count, count <= 999_999_999
        else { return nil }
        self.digest = digest
        self.position = position
        self.count = count
    }

    /// Reads the claim; nil for every other spelling.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let position = Self.number(parts[1]), let count = Self.number(parts[2]) else {
            return nil
        }
        self.init(digest: String(Substring(parts[0])), position: position, count: count)
    }

    /// The digest of a list of payloads in this order: SHA-256, in base64url, of the line `countersign-batch` and, for each payload, a line
    /// with its SHA-256 in lower-case hexadecimal digits. Each line ends with a line feed.
    public static func digest(of payloads: some Sequence<String>) -> String {
        var hash = SHA256()
        var hashOfPayload = SHA256()
        var line: [UInt8] = Array("countersign-batch\n".utf8)
        hash.update(line.span)
        for payload in payloads {
            hashOfPayload.update(payload.utf8Span.span)
            line.removeAll(keepingCapacity: true)
            Hex.append(hashOfPayload.finalizeAndBegin(), to: &line)
            line.append(UInt8(ascii: "\n"))
            hash.update(line.span)
        }
        let digest = hash.finalize()
        return Base64URL.encode(digest.span)
    }

    /// The claim.
    public var description: String { "\(digest).\(position).\(count)" }

    /// One to nine decimal digits, the first of which is not 0.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(Substring(digits))
    }
}
