import CountersignJOSE
package import CountersignKeys
package import CountersignVerifier

/// What a push challenge says (`docs/push.md`).
package struct PushClaims: Sendable, Hashable {
    /// The header's `typ`.
    package static let type: StaticString = "countersign-push+jwt"
    /// The longest challenge, in bytes.
    package static let maxBytes = 4_096
    /// The greatest time: 2^53 - 1, as in a statement.
    private static let maxTime: Int64 = 9_007_199_254_740_991

    /// `iss`: the service.
    package let issuer: String
    /// `aud`: the device that it is for.
    package let device: UUIDText
    /// `iat`: seconds since 1970.
    package let issuedAt: Int64
    /// `exp`: seconds since 1970.
    package let expiresAt: Int64
    /// `jti`: this one text.
    package let id: UUIDText
    /// The notification that waits.
    package let notification: UUIDText
    /// What that is about: a word that a reader need not know.
    package let matter: String

    /// The claims; nil where they break a rule of the page.
    package init?(
        issuer: String, device: UUIDText, issuedAt: Int64, expiresAt: Int64, id: UUIDText, notification: UUIDText,
        matter: String
    ) {
        guard (1...255).contains(issuer.utf8.count), issuer.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            (1...32).contains(matter.utf8.count),
            matter.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }),
            (0...Self.maxTime).contains(issuedAt), (0...Self.maxTime).contains(expiresAt), issuedAt < expiresAt
        else { return nil }
        self.issuer = issuer
        self.device = device
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.id = id
        self.notification = notification
        self.matter = matter
    }

    /// The challenge for a notification that ends at a time, signed now.
    ///
    /// - Parameters:
    ///   - end: when the notification ends, milliseconds since 1970.
    ///   - now: milliseconds since 1970, before `end`.
    package init?(
        issuer: String, device: UUIDText, notification: UUIDText, matter: String, until end: Int64, at now: Int64,
        id: UUIDText
    ) {
        guard now < end else { return nil }
        self.init(
            issuer: issuer, device: device, issuedAt: now / 1000, expiresAt: (end - 1) / 1000 + 1, id: id,
            notification: notification, matter: matter)
    }

    /// Signs it.
    ///
    /// - Parameter keyID: the key's thumbprint.
    /// - Returns: the compact JWS, ASCII.
    package func signed(by key: PrivateKey, keyID: String) throws(KeyError) -> String {
        let header = CompactJWS.plainHeader(key.algorithm, keyID: keyID, type: Self.type)
        return String(
            decoding: try CompactJWS.sign(bytes, header: header, with: key.makeSigner()), as: UTF8.self)
    }

    /// Reads the payload of a challenge, in its one spelling; nil for any other.
    init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes, canonical: true)
        do {
            try reader.beginObject()
            try reader.name("iss")
            let issuer = try reader.string()
            try reader.name("aud")
            let device = UUIDText(try reader.string())
            try reader.name("iat")
            let issuedAt = try reader.integer()
            try reader.name("exp")
            let expiresAt = try reader.integer()
            try reader.name("jti")
            let id = UUIDText(try reader.string())
            try reader.name("notification")
            let notification = UUIDText(try reader.string())
            try reader.name("matter")
            let matter = try reader.string()
            try reader.endObject()
            try reader.end()
            guard let device, let id, let notification else { return nil }
            self.init(
                issuer: issuer, device: device, issuedAt: issuedAt, expiresAt: expiresAt, id: id,
                notification: notification, matter: matter)
        } catch {
            return nil
        }
        guard self.bytes == bytes else { return nil }
    }

    private var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.member(name: "iss", string: issuer)
        writer.member(name: "aud", string: device.text)
        writer.member(name: "iat", integer: issuedAt)
        writer.member(name: "exp", integer: expiresAt)
        writer.member(name: "jti", string: id.text)
        writer.member(name: "notification", string: notification.text)
        writer.member(name: "matter", string: matter)
        writer.endObject()
        return writer.bytes
    }
}
