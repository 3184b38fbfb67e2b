internal import CountersignJOSE

/// Reads claims from their canonical JSON, from left to right; the first failure decides.
struct ClaimsDecoder {
    private var reader: JSONReader

    /// The claims that `bytes` say.
    static func claims(of bytes: [UInt8], _ known: inout KnownClaims) throws(InvalidReason) -> Claims {
        var decoder = ClaimsDecoder(reader: JSONReader(bytes, canonical: true))
        return try decoder.claims(&known)
    }

    private mutating func claims(_ known: inout KnownClaims) throws(InvalidReason) -> Claims {
        do { try reader.beginObject() } catch { throw .claims }
        let origin = try part(&known.origin) { decoder throws(InvalidReason) in try decoder.origin() }
        let audience = try part(&known.audience) { decoder throws(InvalidReason) in
            try decoder.take("aud") ? try decoder.name(.audience) : nil
        }
        try require("iat")
        let issuedAt = try time(.issuedAt)
        try require("jti")
        let id = try uuid(.id)
        try require("payload")
        let payload = try string()
        try ClaimRules.check(payload: payload)
        let purpose = try part(&known.purpose) { decoder throws(InvalidReason) in try decoder.purpose() }
        let methods = try part(&known.methods) { decoder throws(InvalidReason) in
            try decoder.take("amr") ? try decoder.authenticationMethods() : []
        }
        let authTime = try take("auth_time") ? try time(.authTime) : nil
        let device = try part(&known.device) { decoder throws(InvalidReason) in
            try decoder.take("device") ? try decoder.uuid(.device) : nil
        }
        try require("ceremony")
        let ceremony = try uuid(.ceremony)
        let reserved = try reservedClaims()
        try end()
        return try Claims(
            checked: origin.issuer, subject: origin.subject, audience: audience, issuedAt: issuedAt, id: id,
            payload: payload, reason: purpose.reason, level: purpose.level, authenticatorType: purpose.type,
            methods: methods, authTime: authTime, device: device, ceremony: ceremony, reserved: reserved)
    }

    /// What a part of the claims says: what is known, where it stands here again; otherwise what `read` reads, which is
    /// known from then on. A part that is not there is not known: what says that it is missing is the text behind it.
    private mutating func part<Value>(
        _ known: inout KnownClaims.Part<Value>,
        _ read: (inout ClaimsDecoder) throws(InvalidReason) -> Value
    ) throws(InvalidReason) -> Value {
        if let value = known.value, reader.take(again: known.text) { return value }
        let start = reader.position
        let value = try read(&self)
        if reader.position > start { known.become(value, in: reader.bytes, start..<reader.position) }
        return value
    }

    private mutating func origin() throws(InvalidReason) -> (issuer: String, subject: UserName) {
        try require("iss")
        let issuer = try name(.issuer)
        try require("sub")
        guard let subject = UserName(try string()) else { throw .claim(.subject) }
        return (issuer, subject)
    }

    private mutating func purpose() throws(InvalidReason) -> (
        reason: String, level: AuthLevel, type: AuthenticatorType
    ) {
        try require("reason")
        let reason = try string()
        try ClaimRules.check(reason: reason)
        try require("auth_level")
        guard let level = AuthLevel(rawValue: Int(clamping: try integer(.level))) else { throw .claim(.level) }
        try require("authenticator_type")
        guard let type = AuthenticatorType(rawValue: Int(clamping: try integer(.authenticatorType))) else {
            throw .claim(.authenticatorType)
        }
        try require("acr")
        guard level.acr.utf8.elementsEqual(try string().utf8) else { throw .claim(.acr) }
        return (reason, level, type)
    }

    private mutating func reservedClaims() throws(InvalidReason) -> ReservedClaims {
        var reserved = ReservedClaims()
        if reader.isAtEndOfObject { return reserved }
        if try take("request") { try reserved.set(.request, to: try string()) }
        if try take("notification") { try reserved.set(.notification, to: try string()) }
        if try take("template") { try reserved.set(.template, to: try string()) }
        if try take("batch") { try reserved.set(.batch, to: try string()) }
        if try take("evidence") { try reserved.set(.evidence, to: try string()) }
        if try take("quorum") { try reserved.set(.quorum, to: try string()) }
        return reserved
    }

    // MARK: Names

    /// Whether the next claim is this one, and then takes its name.
    private mutating func take(_ name: StaticString) throws(InvalidReason) -> Bool {
        do { return try reader.takeName(name) } catch { throw .claims }
    }

    /// Takes the name of the next claim, which must be this one.
    private mutating func require(_ name: StaticString) throws(InvalidReason) {
        if try take(name) { return }
        _ = try hasAnother()
        throw .claimSet
    }

    /// Whether another claim follows, whatever its name. What is no name at all is no JSON.
    private mutating func hasAnother() throws(InvalidReason) -> Bool {
        do { return try reader.nextName() != nil } catch { throw error.code == .unknownName ? .claimSet : .claims }
    }

    private mutating func end() throws(InvalidReason) {
        if try hasAnother() { throw .claimSet }
        do { try reader.end() } catch { throw .claims }
    }

    // MARK: Values

    private mutating func string() throws(InvalidReason) -> String {
        do { return try reader.string() } catch { throw .claims }
    }

    private mutating func integer(_ claim: ClaimName) throws(InvalidReason) -> Int64 {
        do { return try reader.integer() } catch { throw error.code == .numberOutOfRange ? .claim(claim) : .claims }
    }

    private mutating func name(_ claim: ClaimName) throws(InvalidReason) -> String {
        let text = try string()
        try ClaimRules.check(name: text, as: claim)
        return text
    }

    private mutating func time(_ claim: ClaimName) throws(InvalidReason) -> Int64 {
        let time = try integer(claim)
        try ClaimRules.check(time: time, as: claim)
        return time
    }

    private mutating func uuid(_ claim: ClaimName) throws(InvalidReason) -> UUIDText {
        guard let id = UUIDText(try string()) else { throw .claim(claim) }
        return id
    }

    private mutating func authenticationMethods() throws(InvalidReason) -> [AuthenticationMethod] {
        let names: [String]
        do { names = try reader.stringArray(max: AuthenticationMethod.allCases.count) } catch {
            throw error.code == .tooManyValues ? .claim(.methods) : .claims
        }
        var methods: [AuthenticationMethod] = []
        for name in names {
            guard let method = AuthenticationMethod(rawValue: name), !methods.contains(method) else {
                throw .claim(.methods)
            }
            methods.append(method)
        }
        guard !methods.isEmpty else { throw .claim(.methods) }
        return methods
    }
}
