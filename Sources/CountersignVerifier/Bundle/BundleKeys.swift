internal import CountersignJOSE
public import CountersignKeys

/// The public keys that travel with a bundle, for whoever finds it later. No verifier trusts them: whoever gave the
/// bundle could have put them there.
public enum BundleKeys: Sendable {
    /// Public keys, each of them once; there may be none.
    case set([PublicKey])
    /// A key history as `trust export --history` writes it, without its newline. Its signature has not been checked.
    case history(String)

    /// The most keys of a set.
    public static let maxKeys = 64

    /// Takes a trust file: a JWKS whose keys can all be used, or a key history.
    public init(file bytes: [UInt8]) throws(TrustError) {
        guard bytes.count <= TrustStore.maxBytes else { throw TrustError(.tooLong, "") }
        switch bytes.first(where: { !PEMFile.isSpace($0) }) {
        case UInt8(ascii: "{"): self = try Self.set(file: bytes)
        case UInt8(ascii: "e"):
            let line = bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes
            guard let history = Self.history(line) else { throw TrustError(.malformedHistory, "its form is wrong") }
            self = history
        default: throw TrustError(.unknownFormat, "a bundle takes a JWKS or a key history")
        }
    }

    private static func set(file bytes: [UInt8]) throws(TrustError) -> BundleKeys {
        let set: JWKSet
        do { set = try JWKSet.parse(bytes.span) } catch { throw TrustError(.malformedKeySet, "\(error)") }
        if let skipped = set.skipped.first {
            throw TrustError(.malformedKeySet, "key \(skipped.index + 1) cannot be used: \(skipped.reason)")
        }
        guard set.keys.count <= maxKeys else { throw TrustError(.malformedKeySet, "a bundle has \(maxKeys) at most") }
        return .set(set.keys.map(\.key))
    }

    /// Reads the value of the member `keys`. Whether it was spelt canonically shows when it is written again.
    init?(_ value: JSON) {
        switch value {
        case .string(let text):
            guard let history = Self.history(Array(text.utf8)) else { return nil }
            self = history
        case .object(let object):
            guard let elements = object["keys"]?.array, elements.count <= Self.maxKeys else { return nil }
            var keys: [PublicKey] = []
            var seen: Set<String> = []
            for element in elements {
                guard let object = element.object, let key = try? JWK(object), seen.insert(key.keyID).inserted else {
                    return nil
                }
                keys.append(key.key)
            }
            self = .set(keys)
        default: return nil
        }
    }

    private static func history(_ text: [UInt8]) -> BundleKeys? {
        guard let jws = try? CompactJWS.parse(text, type: KeyHistory.type, maxBytes: UnverifiedBundle.maxBytes),
            jws.hasPlainHeader(type: KeyHistory.type)
        else { return nil }
        return .history(String(decoding: text, as: UTF8.self))
    }

    /// Writes the value of the member `keys`.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .history(let text): writer.string(text)
        case .set(let keys):
            writer.beginObject()
            writer.name("keys")
            writer.beginArray()
            for key in keys { JWK(key).write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }
    }
}
