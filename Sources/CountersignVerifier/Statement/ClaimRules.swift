internal import CountersignJOSE

/// What the values of claims must be, one by one and together (`docs/statement.md`).
enum ClaimRules {
    /// The greatest time: 2^53 - 1, so that every JSON library reads it exactly (RFC 8259 section 6).
    static let maxTime: Int64 = 9_007_199_254_740_991

    /// `iss` and `aud`: 1 to 255 visible ASCII characters.
    static func check(name text: String, as claim: ClaimName) throws(InvalidReason) {
        guard isName(text) else { throw .claim(claim) }
    }

    /// Whether a text may be an issuer or an audience.
    static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && ByteScan.isPrintable(text.utf8.span, from: 0x21)
    }

    static func check(time: Int64, as claim: ClaimName) throws(InvalidReason) {
        guard (0...maxTime).contains(time) else { throw .claim(claim) }
    }

    static func check(payload: String) throws(InvalidReason) {
        guard (1...TextRules.maxPayloadBytes).contains(payload.utf8.count),
            TextRules.firstRefused(in: payload, newlineAndTabAllowed: true) == nil
        else { throw .claim(.payload) }
    }

    static func check(reason: String) throws(InvalidReason) {
        guard (1...TextRules.maxReasonBytes).contains(reason.utf8.count),
            TextRules.firstRefused(in: reason, newlineAndTabAllowed: false) == nil
        else { throw .claim(.reason) }
    }

    /// S04, S05, S10: only (0,0), (1,0) and (4,1).
    static func check(level: AuthLevel, type: AuthenticatorType) throws(InvalidReason) {
        switch (level, type) {
        case (.none, .none), (.one, .none), (.four, .idvServerBiometric): return
        default: throw .levelAndType
        }
    }

    /// The methods without repetition, `idv` where and only where the level is 4, `auth_time` not after `iat`.
    static func check(
        methods: [AuthenticationMethod], authTime: Int64?, level: AuthLevel, issuedAt: Int64
    ) throws(InvalidReason) {
        if level == .none {
            guard methods.isEmpty else { throw .claim(.methods) }
            guard authTime == nil else { throw .claim(.authTime) }
            return
        }
        guard !methods.isEmpty, let authTime else { throw .claimSet }
        for (place, method) in methods.enumerated() where methods[..<place].contains(method) {
            throw .claim(.methods)
        }
        guard methods.contains(where: { $0 == .idv || $0 == .idvTest }) == (level == .four) else {
            throw .claim(.methods)
        }
        guard authTime <= issuedAt else { throw .claim(.authTime) }
    }

    /// A quorum without a request would not say what it is the quorum of.
    static func check(quorumOf claims: ReservedClaims) throws(InvalidReason) {
        guard claims[.quorum] == nil || claims[.request] != nil else { throw .claimSet }
    }
}
