internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import Signing

extension SigningEngine {
    /// An event for the webhook, as a compact JWS by the key that is active now (`docs/delivery.md`).
    ///
    /// - Parameter url: where it goes, which it names, so that nobody can send it on to another.
    /// - Throws: `noActiveKey`.
    package func signedEvent(_ delivery: Delivery, to url: String) async throws -> [UInt8] {
        let basis = try await basis()
        guard let key = basis.key else { throw Refusal(.noActiveKey) }
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.member(name: "iss", string: basis.issuer)
        writer.member(name: "aud", string: url)
        writer.member(name: "iat", integer: basis.time / 1000)
        writer.member(name: "jti", string: delivery.id.text)
        writer.member(name: "event", string: delivery.event.rawValue)
        writer.member(name: "at", integer: delivery.createdAt)
        writer.member(name: "user", string: delivery.user.text)
        if let notification = delivery.notification { writer.member(name: "notification", string: notification.text) }
        if let status = delivery.status { writer.member(name: "status", string: status) }
        writer.endObject()
        return try CompactJWS.sign(
            writer.bytes, type: "countersign-event+jwt", keyID: key.id, with: key.half.makeSigner())
    }
}
