package import CountersignKeys

/// A compact JWS (RFC 7515 section 3.1) whose form was checked and whose signature was not: nothing in it is believed
/// until ``isSigned(by:)`` says so for a key that the caller trusts.
package struct CompactJWS: Sendable {
    /// The protected header.
    package struct Header: Sendable {
        /// `alg`: one of the five.
        package let algorithm: KeyAlgorithm
        /// `kid`, if it is there: not empty.
        package let keyID: String?
        /// All members, those above included.
        package let members: JSONObject
    }

    /// The protected header.
    package let header: Header
    private let parts: JWSParts

    /// The whole text.
    package var text: [UInt8] { parts.text }
    /// The payload, decoded.
    package var payload: [UInt8] { parts.payload }
    /// The signature, decoded.
    package var signature: [UInt8] { parts.signature }
    /// What is signed: header and payload as they stand in ``text``, with the dot between them.
    package var signingInput: Range<Int> { parts.signingInput }

    /// Reads a compact JWS: exactly three parts, each base64url and none empty; the header strict JSON without a name
    /// twice, with one of the five algorithms and with exactly this `typ` (RFC 8725 section 3.11).
    ///
    /// Refused are the header members that would bring their own key (`jku`, `jwk`, `x5u`, `x5c`, `x5t`, `x5t#S256`) or
    /// change the reading (`crit`, `b64`, `zip`). Others that are not known are for the caller to judge.
    ///
    /// - Parameters:
    ///   - type: The `typ` that the text must have, byte for byte.
    ///   - maxBytes: The longest text that is looked at.
    ///   - allowsKey: Whether `jwk` may be there, for texts that prove the possession of that very key (RFC 9449).
    package static func parse(
        _ text: [UInt8], type: StaticString, maxBytes: Int, allowsKey: Bool = false
    ) throws(JOSEError) -> CompactJWS {
        let parts = try JWSParts(text, maxBytes: maxBytes)
        return CompactJWS(header: try Header(parts.header, types: [type], allowsKey: allowsKey), parts: parts)
    }

    /// The same for texts that have one of several types; nil stands for a header without `typ`.
    package static func parse(
        _ text: [UInt8], types: [StaticString?], maxBytes: Int
    ) throws(JOSEError) -> CompactJWS {
        let parts = try JWSParts(text, maxBytes: maxBytes)
        return CompactJWS(header: try Header(parts.header, types: types, allowsKey: false), parts: parts)
    }

    /// Whether the header names the key's own algorithm and the signature is the key's. The algorithm comes from the key:
    /// what the header says can only make the answer no.
    package func isSigned(by key: PublicKey) -> Bool {
        header.algorithm == key.algorithm && key.isValid(signature.span, for: text.span.extracting(signingInput))
    }

    /// Whether the header is the one that ``sign(_:type:keyID:with:)`` writes, byte for byte: no further member, no other
    /// order or spelling.
    package func hasPlainHeader(type: StaticString) -> Bool {
        parts.header == Self.plainHeader(header.algorithm, keyID: header.keyID ?? "", type: type)
    }

    /// A header of `alg`, `kid` and `typ`, in this order, which is that of RFC 8785.
    package static func plainHeader(_ algorithm: KeyAlgorithm, keyID: String, type: StaticString) -> [UInt8] {
        var header = JSONWriter(capacity: 128)
        header.beginObject()
        header.member(name: "alg", string: algorithm.rawValue)
        header.member(name: "kid", string: keyID)
        header.member(name: "typ", string: type.description)
        header.endObject()
        return header.bytes
    }

    /// Signs a payload.
    ///
    /// - Parameters:
    ///   - type: The `typ` of the header.
    ///   - keyID: The `kid` of the header.
    ///   - signer: The key, whose algorithm is named.
    /// - Returns: the text, with a plain header.
    package static func sign(
        _ payload: [UInt8], type: StaticString, keyID: String, with signer: Signer
    ) throws(JOSEError) -> [UInt8] {
        do throws(KeyError) {
            return try sign(payload, header: plainHeader(signer.algorithm, keyID: keyID, type: type), with: signer)
        } catch {
            throw JOSEError(.signingFailed(error.code), error.detail)
        }
    }

    /// Signs a payload under a header of the caller's own, which names the signer's algorithm.
    package static func sign(
        _ payload: [UInt8], header: [UInt8], with signer: Signer
    ) throws(KeyError) -> [UInt8] {
        var text: [UInt8] = []
        // Room for the longest signature too: 512 bytes of RSA.
        text.reserveCapacity((header.count + payload.count + 512) * 4 / 3 + 8)
        Base64URL.append(header.span, to: &text)
        text.append(UInt8(ascii: "."))
        Base64URL.append(payload.span, to: &text)
        let signature = try signer.sign(text.span)
        text.append(UInt8(ascii: "."))
        Base64URL.append(signature.span, to: &text)
        return text
    }
}
