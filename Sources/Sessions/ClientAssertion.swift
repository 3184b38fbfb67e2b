import CountersignJOSE
package import CountersignKeys
package import Signing

/// A relying service's proof that it holds the key that it registered: the `client_assertion` of RFC 7523 section 3
/// (`private_key_jwt`). That it comes once is for the caller to see: ``ReplayWindow`` with ``thumbprint`` and ``jti``.
package struct ClientAssertion: Sendable {
    /// The longest assertion that is looked at, in bytes.
    package static let maxBytes = 4_096
    /// The longest `jti`, in bytes.
    package static let maxIDBytes = 128
    /// How long an assertion may still live when it comes, in milliseconds: as long must a ``ReplayWindow`` remember it.
    package static let maxLife: Int64 = 300_000
    /// How far `iat` and `nbf` may be ahead of the clock, in seconds.
    package static let leeway: Int64 = 60

    /// `iss` and `sub`: who it is.
    package let client: String
    /// The thumbprint (RFC 7638) of the client's key.
    package let thumbprint: String
    /// `jti`: the assertion's own name, 1...128 bytes.
    package let jti: String
    /// `exp`, in seconds since 1970.
    package let expiresAt: Int64

    /// Whom an assertion claims to come from, which decides which key it must be signed with. Nothing of it is verified.
    package static func claimedClient(_ text: [UInt8]) -> ClientName? {
        guard let parts = try? JWSParts(text, maxBytes: maxBytes),
            let claims = try? JSON(parsing: parts.payload, maxBytes: maxBytes).object
        else { return nil }
        return claims["sub"]?.string.flatMap { ClientName($0) }
    }

    /// Reads an assertion and verifies it: RFC 7523 section 3. Its claims are a closed set.
    ///
    /// - Parameters:
    ///   - text: The assertion.
    ///   - key: The key that the client registered.
    ///   - audiences: What may stand in `aud`, where exactly one may stand: the URL of the token endpoint, or the issuer.
    ///   - client: The client's name.
    ///   - now: Milliseconds since 1970.
    /// - Throws: `clientInvalid`, whatever is wrong.
    package static func parse(
        _ text: [UInt8], key: PublicKey, audience audiences: String..., client: String, at now: Int64
    ) throws(Refusal) -> ClientAssertion {
        let types: [StaticString?] = [nil, "JWT", "client-authentication+jwt"]
        guard let jws = try? CompactJWS.parse(text, types: types, maxBytes: maxBytes),
            jws.header.members.firstMember(besides: ["typ", "alg", "kid"]) == nil,
            let claims = try? JSON(parsing: jws.payload, maxBytes: maxBytes).object,
            let assertion = ClientAssertion(claims, client: client, thumbprint: Thumbprint.sha256(of: key)),
            isFor(audiences, claims), isTimely(claims, at: now / 1_000), jws.isSigned(by: key)
        else { throw Refusal(.clientInvalid) }
        return assertion
    }

    /// An assertion for a minute.
    ///
    /// - Parameters:
    ///   - client: The client's name.
    ///   - audience: The issuer or the URL of the token endpoint.
    ///   - now: Milliseconds since 1970.
    ///   - key: The client's key.
    package static func sign(
        client: String, audience: String, at now: Int64, with key: PrivateKey
    ) throws(KeyError) -> String {
        let second = now / 1_000
        var header = JSONWriter(capacity: 64)
        header.beginObject()
        header.member(name: "alg", string: key.algorithm.rawValue)
        header.member(name: "typ", string: "client-authentication+jwt")
        header.endObject()
        let name = try SecureRandom.bytes(16)
        var claims = JSONWriter(capacity: 256)
        claims.beginObject()
        claims.member(name: "aud", string: audience)
        claims.member(name: "exp", integer: second + 60)
        claims.member(name: "iat", integer: second)
        claims.member(name: "iss", string: client)
        claims.member(name: "jti", string: Base64URL.encode(name.span))
        claims.member(name: "sub", string: client)
        claims.endObject()
        let text = try CompactJWS.sign(claims.bytes, header: header.bytes, with: key.makeSigner())
        return String(decoding: text, as: UTF8.self)
    }
}

extension ClientAssertion {
    private init?(_ claims: JSONObject, client: String, thumbprint: String) {
        guard claims.firstMember(besides: ["iss", "sub", "aud", "exp", "iat", "nbf", "jti"]) == nil,
            claims["iss"]?.string?.hasSameUTF8(as: client) == true,
            claims["sub"]?.string?.hasSameUTF8(as: client) == true,
            let jti = claims["jti"]?.string, (1...Self.maxIDBytes).contains(jti.utf8.count),
            let expiresAt = claims["exp"]?.integer
        else { return nil }
        self.client = client
        self.thumbprint = thumbprint
        self.jti = jti
        self.expiresAt = expiresAt
    }

    /// One audience, alone or as the only element of an array: an assertion for several could be passed on by one of them.
    private static func isFor(_ audiences: [String], _ claims: JSONObject) -> Bool {
        let value = claims["aud"]
        let elements = value?.array
        guard elements == nil || elements?.count == 1, let named = (elements?.first ?? value)?.string else {
            return false
        }
        return audiences.contains { $0.hasSameUTF8(as: named) }
    }

    private static func isTimely(_ claims: JSONObject, at second: Int64) -> Bool {
        guard let exp = claims["exp"]?.integer, exp > second, exp - maxLife / 1_000 <= second,
            let iat = claims["iat"]?.integer, iat <= second + leeway, iat < exp
        else { return false }
        guard let start = claims["nbf"] else { return true }
        guard let nbf = start.integer else { return false }
        return nbf <= second + leeway
    }
}
