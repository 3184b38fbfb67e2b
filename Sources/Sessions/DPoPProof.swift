import CountersignJOSE
package import CountersignKeys
package import Signing

/// A proof that the caller holds a key, for one request: the header `DPoP` of RFC 9449.
///
/// ``parse(_:)`` looks at everything that depends on the proof alone, its signature too; ``check(method:url:accessToken:at:)``
/// at what depends on the request. What is left to the caller is what needs memory: the nonce (``NonceSource``), the replay
/// (``ReplayWindow``), and that the key is the one of the session.
package struct DPoPProof: Sendable {
    /// The longest proof that is looked at, in bytes.
    package static let maxBytes = 2_048
    /// The longest `jti`, in bytes.
    package static let maxIDBytes = 128
    /// How far `iat` may be from the clock, in seconds, both ways.
    package static let leeway: Int64 = 300
    /// What a proof may be signed with.
    package static let algorithms: [KeyAlgorithm] = [.es256, .edDSA]
    private static let type: StaticString = "dpop+jwt"

    /// The key that made the proof.
    package let key: PublicKey
    /// The key's thumbprint (RFC 7638).
    package let thumbprint: String
    /// `jti`: the proof's own name, 1...128 bytes.
    package let jti: String
    /// `htm`: the method of the request.
    package let method: String
    /// `htu`: the URL of the request without query and fragment.
    package let url: String
    /// `iat`, in seconds since 1970.
    package let issuedAt: Int64
    /// `ath`: the digest of the access token, where there is one.
    package let accessTokenHash: String?
    /// `nonce`, where there is one.
    package let nonce: String?

    /// Reads a proof and verifies its signature: RFC 9449 section 4.3, checks 2 to 7. Header and claims are closed sets.
    ///
    /// - Parameters:
    ///   - text: The value of the header `DPoP`.
    ///   - keys: Keys that were read before; a proof of one of them costs a quarter less.
    /// - Throws: `proofInvalid`, with the member that is wrong, where it is one.
    package static func parse(_ text: [UInt8], keys: ProofKeys? = nil) throws(Refusal) -> DPoPProof {
        guard let parts = try? JWSParts(text, maxBytes: maxBytes) else { throw Refusal(.proofInvalid) }
        let known = keys?.key(of: parts.header)
        let key = if let known { known } else { try Self.key(of: parts.header) }
        // The claims before the signature: what is wrong in them costs no verification.
        let proof = try DPoPProof(try claims(parts.payload), key: key)
        guard key.key.isValid(parts.signature.span, for: parts.text.span.extracting(parts.signingInput)) else {
            throw Refusal(.proofInvalid)
        }
        if known == nil { keys?.keep(key, of: parts.header) }
        return proof
    }

    /// Whether the proof is one for this request: RFC 9449 section 4.3, checks 8, 9, 11 and 12.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - url: Scheme, authority and path of the request as clients write it, from the service's own settings and never
    ///     from the header `Host`.
    ///   - accessToken: The access token that came with it; nil where none belongs to it, and then `ath` may not be there.
    ///   - now: Milliseconds since 1970.
    /// - Throws: `proofInvalid`, with the claim that is wrong.
    package func check(method: String, url: String, accessToken: String?, at now: Int64) throws(Refusal) {
        guard self.method.hasSameUTF8(as: method) else { throw Self.invalid("htm") }
        // The same bytes: no case is folded, no port added, no dot removed. Nothing that could be understood in two ways.
        guard self.url.hasSameUTF8(as: url), !url.utf8.contains(UInt8(ascii: "?")),
            !url.utf8.contains(UInt8(ascii: "#"))
        else { throw Self.invalid("htu") }
        let age = (now / 1_000).subtractingReportingOverflow(issuedAt)
        guard !age.overflow, (-Self.leeway...Self.leeway).contains(age.partialValue) else { throw Self.invalid("iat") }
        let expected = accessToken.map { Self.hash(of: $0) }
        let isBound = expected.map { accessTokenHash?.hasSameUTF8(as: $0) == true } ?? (accessTokenHash == nil)
        guard isBound else { throw Self.invalid("ath") }
    }

    /// The proof for a request, as the value of the header `DPoP`.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - url: Its URL without query and fragment, exactly as the service names itself.
    ///   - accessToken: The access token that goes with it.
    ///   - nonce: The newest nonce that the service gave.
    ///   - now: Milliseconds since 1970.
    ///   - key: A key for ES256 or EdDSA.
    package static func sign(
        method: String, url: String, accessToken: String?, nonce: String?, at now: Int64, with key: PrivateKey
    ) throws(KeyError) -> String {
        guard algorithms.contains(key.algorithm) else {
            throw KeyError(.algorithmMismatch, "a proof is signed with ES256 or EdDSA")
        }
        var header = JSONWriter(capacity: 256)
        header.beginObject()
        header.member(name: "alg", string: key.algorithm.rawValue)
        header.name("jwk")
        Thumbprint.write(key.publicKey, to: &header)
        header.member(name: "typ", string: type.description)
        header.endObject()
        let name = try SecureRandom.bytes(16)
        var claims = JSONWriter(capacity: 512)
        claims.beginObject()
        if let accessToken { claims.member(name: "ath", string: hash(of: accessToken)) }
        claims.member(name: "htm", string: method)
        claims.member(name: "htu", string: url)
        claims.member(name: "iat", integer: now / 1_000)
        claims.member(name: "jti", string: Base64URL.encode(name.span))
        if let nonce { claims.member(name: "nonce", string: nonce) }
        claims.endObject()
        let text = try CompactJWS.sign(claims.bytes, header: header.bytes, with: key.makeSigner())
        return String(decoding: text, as: UTF8.self)
    }

    /// `ath`: SHA-256 of the token's ASCII in base64url (RFC 9449 section 4.2).
    private static func hash(of token: String) -> String { Base64URL.encode(SHA256.hash(token.utf8.span).span) }
}

extension DPoPProof {
    private init(_ claims: JSONObject, key: JWK) throws(Refusal) {
        if let other = claims.firstMember(besides: ["jti", "htm", "htu", "iat", "ath", "nonce"]) {
            throw Self.invalid(other)
        }
        let jti = try Self.required("jti", of: claims)
        guard jti.utf8.count <= Self.maxIDBytes else { throw Self.invalid("jti") }
        let method = try Self.required("htm", of: claims)
        let url = try Self.required("htu", of: claims)
        guard let issuedAt = claims["iat"]?.integer else { throw Self.invalid("iat") }
        let accessTokenHash = try Self.optional("ath", of: claims)
        let nonce = try Self.optional("nonce", of: claims)
        self.key = key.key
        thumbprint = key.keyID
        self.jti = jti
        self.method = method
        self.url = url
        self.issuedAt = issuedAt
        self.accessTokenHash = accessTokenHash
        self.nonce = nonce
    }

    /// A claim that is a string and not empty, if it is there.
    private static func optional(_ name: String, of claims: JSONObject) throws(Refusal) -> String? {
        guard let value = claims[name] else { return nil }
        guard let text = value.string, !text.isEmpty else { throw invalid(name) }
        return text
    }

    /// A claim that is a string, not empty, and must be there.
    private static func required(_ name: String, of claims: JSONObject) throws(Refusal) -> String {
        guard let text = try optional(name, of: claims) else { throw invalid(name) }
        return text
    }

    /// The key that a header brings, after all that can be said of a header.
    private static func key(of header: [UInt8]) throws(Refusal) -> JWK {
        let header = try members(of: header)
        guard algorithms.contains(header.algorithm) else { throw invalid("alg") }
        if let other = header.members.firstMember(besides: ["typ", "alg", "jwk"]) { throw invalid(other) }
        guard let object = header.members["jwk"]?.object, let key = try? JWK(object) else { throw invalid("jwk") }
        // The algorithm comes from the key: what the header says can only make the answer no.
        guard key.key.algorithm == header.algorithm else { throw invalid("alg") }
        return key
    }

    private static func members(of header: [UInt8]) throws(Refusal) -> CompactJWS.Header {
        do throws(JOSEError) {
            return try CompactJWS.Header(header, types: [type], allowsKey: true)
        } catch {
            throw refusal(error)
        }
    }

    private static func claims(_ payload: [UInt8]) throws(Refusal) -> JSONObject {
        guard let claims = try? JSON(parsing: payload, maxBytes: maxBytes).object else { throw Refusal(.proofInvalid) }
        return claims
    }

    private static func invalid(_ member: String) -> Refusal { Refusal(.proofInvalid, .member(member)) }

    private static func refusal(_ error: JOSEError) -> Refusal {
        switch error.code {
        case .wrongType: invalid("typ")
        case .unsupportedAlgorithm: invalid("alg")
        default: Refusal(.proofInvalid)
        }
    }
}
