package import Wire

/// What happened, once an event. Never a secret, never a payload.
public struct AuditRecord: Sendable {
    /// The message it came in.
    package let message: AuditMessage

    /// One that came.
    package init(_ message: AuditMessage) { self.message = message }

    /// Its place, from 1 without gaps.
    public var number: Int64? { message.seq }
    /// When, milliseconds since 1970.
    public var time: Int64 { message.at }
    /// What happened, in one word.
    public var event: String { message.event }
    /// Who.
    public var user: String? { message.user }
    /// The id of the ceremony.
    public var ceremony: String? { message.ceremony }
    /// The id of the statement.
    public var signatureID: String? { message.jti }
    /// SHA-256 of the payload, hexadecimal.
    public var digest: String? { message.digest }
    /// Of the payload, in characters.
    public var length: Int? { message.length }
    /// The level.
    public var level: Int? { message.level }
    /// The type.
    public var authenticatorType: Int? { message.type }
    /// The kind of evidence that was asked for.
    public var method: String? { message.method }
    /// 0, or the number of the refusal.
    public var result: Int { message.result }
    /// More, for a person.
    public var detail: String? { message.detail }
}
