/// The claims of a statement, in their order (`docs/statement.md`).
public enum ClaimName: String, Sendable, CaseIterable {
    /// The issuer.
    case issuer = "iss"
    /// The user.
    case subject = "sub"
    /// The relying service that asked.
    case audience = "aud"
    /// When it was signed.
    case issuedAt = "iat"
    /// The id of the signature.
    case id = "jti"
    /// The text.
    case payload
    /// Why.
    case reason
    /// 0, 1 or 4.
    case level = "auth_level"
    /// 0 or 1.
    case authenticatorType = "authenticator_type"
    /// The level as a URN.
    case acr
    /// How the person authenticated.
    case methods = "amr"
    /// When they did.
    case authTime = "auth_time"
    /// On which device.
    case device
    /// In which run.
    case ceremony
    /// The signing request.
    case request
    /// Reserved: the notification.
    case notification
    /// Reserved: the template of the payload.
    case template
    /// Reserved: the batch.
    case batch
    /// Reserved: the digest of the evidence.
    case evidence
    /// How many persons must sign the same.
    case quorum
}
