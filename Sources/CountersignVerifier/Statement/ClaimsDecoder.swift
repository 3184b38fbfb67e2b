internal import CountersignJOSE

/// Reads claims from their canonical JSON, from left to right; the first failure decides.
struct ClaimsDecoder {
    private var reader: JSONReader

    /// The claims that `bytes` say.
    static func claims(of bytes: [UInt8]) throws(InvalidReason) -> Claims {
        var decoder = ClaimsDecoder(reader: JSONReader(bytes, canonical: true))
        return try decoder.claims()
    }

    private mutating func claims() throws(InvalidReason) -> Claims {
        do { try reader.beginObject() } catch { throw .claims }
        try require("iss")
        let issuer = try name(.issuer)
        try require("sub")
        guard let subject = UserName(try string()) else { throw .claim(.subject) }
        let audience = try take("aud") ? try name(.audience) : nil
        try require("iat")
        let issuedAt = try time(.issuedAt)
        try require("jti")
        let id = try uuid(.id)
        try require("payload")
        let payload = try string()
        try ClaimRules.check(payload: payload)
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
        let methods = try take("amr") ? try authenticationMethods() : []
        let authTime = try take("auth_time") ? try time(.authTime) : nil
        let device = try take("device") ? try uuid(.device) : nil
        try require("ceremony")
        let ceremony = try uuid(.ceremony)
        let reserved = try reservedClaims()
        try end()
        return try Claims(
            checked: issuer, subject: subject, audience: audience, issuedAt: issuedAt, id: id, payload: payload,
            reason: reason, level: level, authenticatorType: type, methods: methods, authTime: authTime,
            device: device, ceremony: ceremony, reserved: reserved)
    }

    private mutating func reservedClaims() throws(InvalidReason) -> ReservedClaims {
        var reserved = ReservedClaims()
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
