package import Wire

/// A statement on record.
public struct StatementRecord: Sendable {
    /// The message it came in.
    package let message: StatementMessage

    /// One that came.
    package init(_ message: StatementMessage) { self.message = message }

    /// Its `jti`.
    public var signatureID: String { message.signatureID }
    /// Who signed.
    public var user: String { message.user }
    /// When, milliseconds since 1970.
    public var signedAt: Int64 { message.signedAt }
    /// What was signed.
    public var payload: String { message.payload }
    /// Why.
    public var reason: String { message.reason }
    /// The level.
    public var level: Int { message.level }
    /// The type.
    public var authenticatorType: Int { message.authenticatorType }
    /// The relying service that asked.
    public var audience: String? { message.audience }
    /// The key that signed.
    public var keyID: String { message.kid }
    /// The id of the ceremony.
    public var ceremony: String { message.ceremony }
    /// The statement, a compact JWS.
    public var statement: String { message.statement }
    /// What whoever asked calls it, in a batch.
    public var reference: String? { message.reference }
}
