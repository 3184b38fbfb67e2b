/// What a statement says. `docs/statement.md` has every claim with its form; a value of this type keeps to it.
public struct Claims: Sendable {
    /// `iss`: who issued the statement.
    public let issuer: String
    /// `sub`: the user who signed.
    public let subject: UserName
    /// `aud`: the relying service that asked, if one did.
    public let audience: String?
    /// `iat`: when it was signed, seconds since 1970.
    public let issuedAt: Int64
    /// `jti`: the id of the signature, unique for ever (S43).
    public let id: UUIDText
    /// `payload`: the text, byte for byte as it was given (S17).
    public let payload: String
    /// `reason`: why.
    public let reason: String
    /// `auth_level` (S18).
    public let level: AuthLevel
    /// `authenticator_type` (S18).
    public let authenticatorType: AuthenticatorType
    /// `amr`: how the person authenticated; empty at level 0.
    public let methods: [AuthenticationMethod]
    /// `auth_time`: when they did, seconds since 1970; nil at level 0.
    public let authTime: Int64?
    /// `device`, where there is one.
    public let device: UUIDText?
    /// `ceremony`: the run that led to this statement.
    public let ceremony: UUIDText
    /// The claims that say in what the statement belongs.
    public let reserved: ReservedClaims

    /// Whether a text may be an issuer: a URI or name of 1 to 255 visible ASCII characters.
    package static func isIssuer(_ text: String) -> Bool { ClaimRules.isName(text) }

    /// The claims of a new statement.
    ///
    /// - Throws: the reason for which a verifier would refuse them.
    package init(
        issuer: String, subject: UserName, audience: String?, issuedAt: Int64, id: UUIDText, payload: String,
        reason: String, level: AuthLevel, authenticatorType: AuthenticatorType, methods: [AuthenticationMethod],
        authTime: Int64?, device: UUIDText?, ceremony: UUIDText, reserved: ReservedClaims = ReservedClaims()
    ) throws(InvalidReason) {
        try ClaimRules.check(name: issuer, as: .issuer)
        if let audience { try ClaimRules.check(name: audience, as: .audience) }
        try ClaimRules.check(time: issuedAt, as: .issuedAt)
        try ClaimRules.check(payload: payload)
        try ClaimRules.check(reason: reason)
        if let authTime { try ClaimRules.check(time: authTime, as: .authTime) }
        try self.init(
            checked: issuer, subject: subject, audience: audience, issuedAt: issuedAt, id: id, payload: payload,
            reason: reason, level: level, authenticatorType: authenticatorType, methods: methods, authTime: authTime,
            device: device, ceremony: ceremony, reserved: reserved)
    }

    /// Claims whose values were checked one by one; checks what they say together.
    init(
        checked issuer: String, subject: UserName, audience: String?, issuedAt: Int64, id: UUIDText, payload: String,
        reason: String, level: AuthLevel, authenticatorType: AuthenticatorType, methods: [AuthenticationMethod],
        authTime: Int64?, device: UUIDText?, ceremony: UUIDText, reserved: ReservedClaims
    ) throws(InvalidReason) {
        try ClaimRules.check(level: level, type: authenticatorType)
        try ClaimRules.check(methods: methods, authTime: authTime, level: level, issuedAt: issuedAt)
        try ClaimRules.check(quorumOf: reserved)
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        self.id = id
        self.payload = payload
        self.reason = reason
        self.level = level
        self.authenticatorType = authenticatorType
        self.methods = methods
        self.authTime = authTime
        self.device = device
        self.ceremony = ceremony
        self.reserved = reserved
    }
}
