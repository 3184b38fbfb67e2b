import CountersignJOSE
package import CountersignVerifier

/// Why a push challenge is none that a device may act on.
package enum PushFault: Error, Sendable, Hashable, CaseIterable {
    /// It has our type, and not the form.
    case malformed
    /// It is not signed by a key of the service, or names another service.
    case untrusted
    /// It is over.
    case expired
    /// It was signed at a time that is yet to come.
    case early
}

/// A push challenge whose form was checked and whose signature was not.
package struct UnverifiedPushChallenge: Sendable {
    /// What it says, which is not to be believed yet.
    package let claims: PushClaims
    private let jws: CompactJWS
    private let keyID: String

    /// Reads what a push brought: a challenge, or the JSON object of a push service with one in its member `countersign`.
    ///
    /// - Returns: nil for what is foreign, and so for somebody else to read (rules K24, O40).
    /// - Throws: `malformed` for what has our type but not the form.
    package static func read(_ push: [UInt8]) throws(PushFault) -> UnverifiedPushChallenge? {
        guard let text = challenge(in: push), isOurs(text) else { return nil }
        guard let jws = try? CompactJWS.parse(text, type: PushClaims.type, maxBytes: PushClaims.maxBytes),
            jws.hasPlainHeader(type: PushClaims.type), let keyID = jws.header.keyID,
            let claims = PushClaims(jws.payload)
        else { throw .malformed }
        return UnverifiedPushChallenge(claims: claims, jws: jws, keyID: keyID)
    }

    /// The claims, where they may be believed and it is their time.
    ///
    /// - Parameters:
    ///   - trust: the keys of the service that the device is enrolled at.
    ///   - issuer: what that service calls itself.
    ///   - now: milliseconds since 1970.
    ///   - skew: how far the clocks may be apart, in seconds, on both sides (rule O39); a negative one is 0.
    /// - Throws: `untrusted`, then `expired` or `early`.
    package func verified(
        by trust: TrustStore, issuer: String, at now: Int64, allowedClockSkewInSeconds skew: Int64
    ) throws(PushFault) -> PushClaims {
        guard claims.issuer.hasSameUTF8(as: issuer),
            let key = trust.key(keyID, signingAt: claims.issuedAt), jws.isSigned(by: key)
        else { throw .untrusted }
        // Both times are at most 2^53 - 1: with a skew no greater than that nothing overflows.
        let (second, skew) = (now / 1000, min(max(skew, 0), 9_007_199_254_740_991))
        if second >= claims.expiresAt + skew { throw .expired }
        if second < claims.issuedAt - skew { throw .early }
        return claims
    }

    /// Whether these keys have the one that it names, at the time that it names: else newer ones may.
    package func isKeyKnown(to trust: TrustStore) -> Bool { trust.key(keyID, signingAt: claims.issuedAt) != nil }

    /// The text that may be a challenge: all that came, or one member of it.
    private static func challenge(in push: [UInt8]) -> [UInt8]? {
        guard push.count <= maxPushBytes else { return nil }
        guard push.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return push }
        guard let object = try? JSON(parsing: push, maxBytes: maxPushBytes).object else { return nil }
        return object["countersign"]?.string.map { Array($0.utf8) }
    }

    /// Whether it begins with a header of our type, whatever follows.
    private static func isOurs(_ text: [UInt8]) -> Bool {
        guard let end = text.firstIndex(of: UInt8(ascii: ".")),
            let header = Base64URL.decode(text.span.extracting(0..<end)),
            let members = try? JSON(parsing: header, maxBytes: header.count).object
        else { return false }
        return members["typ"]?.string?.hasSameUTF8(as: PushClaims.type.description) == true
    }

    /// More than push services carry.
    private static let maxPushBytes = 16_384
}
