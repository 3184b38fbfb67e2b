public import CountersignKeys

/// A set of public keys: RFC 7517 section 5.
///
/// The file is refused as a whole where it is not one thing with one meaning: malformed JSON, a name twice, a `kid` twice,
/// no usable key. A key that cannot be used is skipped, and its neighbours still work.
public struct JWKSet: Sendable {
    /// A key that was skipped.
    public struct Skipped: Sendable {
        /// Its place in the array `keys`, from 0.
        public let index: Int
        /// The `kid` that it gives, if it gives one.
        public let keyID: String?
        /// Why.
        public let reason: JWKRefusal
    }

    /// The largest file that is read, in bytes.
    public static let maxBytes = 1 << 20
    /// The most keys that a file may have, skipped ones included.
    public static let maxKeys = 10_000
    /// The most members that the object around `keys` may have; all others are ignored (RFC 7517 section 5).
    static let maxMembers = 256

    /// The keys in the order of the file. No two have the same `kid`.
    public internal(set) var keys: [JWK] = []
    /// The keys that were skipped, in the order of the file.
    public internal(set) var skipped: [Skipped] = []

    /// A set to be written.
    public init(_ keys: [PublicKey]) { self.keys = keys.map { JWK($0) } }

    init() {}

    /// Reads a set.
    public static func parse(_ bytes: Span<UInt8>) throws(JOSEError) -> JWKSet {
        guard bytes.count <= maxBytes else {
            throw JOSEError(.tooLong, "a key set has at most \(maxBytes) bytes, this one has \(bytes.count)")
        }
        var copy: [UInt8] = []
        ByteScan.append(bytes, to: &copy)
        var parser = Parser(copy)
        do throws(JSONError) {
            try parser.readSet()
        } catch {
            if let refusal = parser.refusal { throw refusal }
            guard error.code == .wrongType else { throw JOSEError(error, in: "the key set") }
            throw JOSEError(.notAKeySet, "a key set is an object with an array \"keys\"")
        }
        if let refusal = parser.refusal { throw refusal }
        if parser.set.keys.isEmpty {
            let reasons = parser.set.skipped.prefix(3)
                .map { "key \($0.index + 1): \($0.reason)" }.joined(separator: "; ")
            throw JOSEError(.noUsableKey, "the key set has no usable key" + (reasons.isEmpty ? "" : " (\(reasons))"))
        }
        return parser.set
    }

    /// The set as JSON, in the spelling of RFC 8785.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 32 + keys.count * 256)
        writer.beginObject()
        writer.name("keys")
        writer.beginArray()
        for key in keys { key.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
