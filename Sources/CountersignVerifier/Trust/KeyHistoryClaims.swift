internal import CountersignJOSE
internal import CountersignKeys

/// The claims of a key history as canonical JSON, both ways (`docs/key-history.md`).
enum KeyHistoryClaims {
    /// The claims' bytes.
    static func bytes(of history: KeyHistory) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "iss", string: history.issuer)
        writer.member(name: "iat", integer: history.issuedAt)
        writer.member(name: "exp", integer: history.expiresAt)
        writer.member(name: "serial", integer: history.serial)
        writer.name("root")
        JWK(history.root).write(to: &writer)
        writer.name("keys")
        writer.beginArray()
        for key in history.keys { write(key, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    /// Reads claims: decodes, encodes again and compares.
    static func history(of bytes: [UInt8]) throws(TrustError) -> KeyHistory {
        let json: JSON
        do {
            json = try JSON(parsing: bytes.span, maxBytes: KeyHistory.maxBytes, maxValues: KeyHistory.maxBytes / 8)
        } catch {
            throw TrustError(.malformedHistory, "its claims are not JSON: \(error)")
        }
        guard case .object(let object) = json, let issuer = object["iss"]?.string, ClaimRules.isName(issuer),
            let issuedAt = time(object["iat"]), let expiresAt = time(object["exp"]), issuedAt < expiresAt,
            let serial = time(object["serial"]), serial >= 1
        else { throw TrustError(.malformedHistory, "iss, iat, exp or serial is missing or has a wrong value") }
        guard let root = object["root"].flatMap(publicKey) else {
            throw TrustError(.malformedHistory, "its root key cannot be used")
        }
        guard case .array(let elements) = object["keys"], !elements.isEmpty else {
            throw TrustError(.malformedHistory, "it has no keys")
        }
        var keys: [TrustedKey] = []
        var seen: Set<String> = [Thumbprint.sha256(of: root)]
        for (index, element) in elements.enumerated() {
            guard let key = trustedKey(element), seen.insert(Thumbprint.sha256(of: key.key)).inserted else {
                throw TrustError(.malformedHistory, "key \(index + 1) is malformed, cannot be used or is there twice")
            }
            keys.append(key)
        }
        let history = KeyHistory(
            issuer: issuer, issuedAt: issuedAt, expiresAt: expiresAt, serial: serial, root: root, keys: keys)
        guard Self.bytes(of: history) == bytes else {
            throw TrustError(.malformedHistory, "its claims are not in their canonical form")
        }
        return history
    }

    private static func write(_ key: TrustedKey, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("jwk")
        JWK(key.key).write(to: &writer)
        writer.member(name: "nbf", integer: key.notBefore ?? 0)
        if let notAfter = key.notAfter { writer.member(name: "exp", integer: notAfter) }
        if let revocation = key.revocation {
            writer.name("revoked")
            writer.beginObject()
            writer.member(name: "at", integer: revocation.at)
            writer.member(name: "reason", string: revocation.reason.rawValue)
            writer.endObject()
        }
        writer.endObject()
    }

    private static func trustedKey(_ json: JSON) -> TrustedKey? {
        guard case .object(let object) = json, let key = object["jwk"].flatMap(publicKey),
            let notBefore = time(object["nbf"])
        else { return nil }
        var notAfter: Int64?
        if let member = object["exp"] {
            guard let time = time(member), time >= notBefore else { return nil }
            notAfter = time
        }
        var revocation: TrustedKey.Revocation?
        if let member = object["revoked"] {
            guard case .object(let revoked) = member, let at = time(revoked["at"]),
                let reason = revoked["reason"]?.string.flatMap(TrustedKey.Revocation.Reason.init(rawValue:)),
                notAfter != nil
            else { return nil }
            revocation = TrustedKey.Revocation(at: at, reason: reason)
        }
        return TrustedKey(key: key, notBefore: notBefore, notAfter: notAfter, revocation: revocation)
    }

    private static func publicKey(_ json: JSON) -> PublicKey? {
        guard case .object(let object) = json else { return nil }
        return try? JWK(object).key
    }

    private static func time(_ json: JSON?) -> Int64? {
        guard let value = json?.integer, (0...ClaimRules.maxTime).contains(value) else {
            return nil
        }
        return value
    }
}
