package import CountersignVerifier

/// What is asked to be signed, by whom and how strongly. One that breaks a rule cannot be built, so nothing behind this
/// line checks again.
package struct SigningRequest: Sendable, Hashable {
    /// Who signs.
    package let user: UserName
    /// What is signed; of a batch, the line that stands for it.
    package let payload: SigningText
    /// The payloads that are signed, each by itself, where it is several at once.
    package let batch: Batch?
    /// Why it is signed.
    package let reason: SigningText
    /// The level that was asked for.
    package let level: AuthLevel
    /// The type that was asked for.
    package let type: AuthenticatorType
    /// How the person has to authenticate.
    package let authentication: Authentication
    /// The relying service that asked, where one did: 1...255 visible ASCII characters.
    package let audience: String?
    /// What it belongs to beyond itself; nil: nothing.
    package let occasion: Occasion?

    /// Parses a request from bytes as they came, in this order: the matrix, level 0, payload, reason, audience. The first that
    /// does not stand refuses it, so 214 comes before any look at the texts (rules S04-S10).
    ///
    /// - Parameters:
    ///   - isLevelZeroAllowed: The setting `allow-level-0`; while it is off, level 0 is refused with 214 (rule O10).
    package init(
        user: UserName, payload: Span<UInt8>, reason: Span<UInt8>, level: Int, type: Int, audience: String? = nil,
        occasion: Occasion? = nil, isLevelZeroAllowed: Bool
    ) throws(Refusal) {
        let cell = try Self.cell(level, type, isLevelZeroAllowed)
        try self.init(
            user, cell, SigningText(payload, as: .payload), nil, SigningText(reason, as: .reason), audience, occasion)
    }

    /// The same from one text or several, in the same order.
    package init(
        user: UserName, payloads: Payloads, reason: Span<UInt8>, level: Int, type: Int, audience: String? = nil,
        isLevelZeroAllowed: Bool
    ) throws(Refusal) {
        let cell = try Self.cell(level, type, isLevelZeroAllowed)
        let payload: SigningText
        var batch: Batch?
        switch payloads {
        case .one(let bytes): payload = try SigningText(bytes.span, as: .payload)
        case .batch(let drafts):
            let parsed = try Batch(drafts)
            let line = parsed.line
            payload = try SigningText(line.utf8Span.span, as: .payload)
            batch = parsed
        }
        try self.init(user, cell, payload, batch, SigningText(reason, as: .reason), audience, nil)
    }

    private init(
        _ user: UserName, _ cell: Matrix.Cell, _ payload: SigningText, _ batch: Batch?, _ reason: SigningText,
        _ audience: String?, _ occasion: Occasion?
    ) throws(Refusal) {
        if let audience, !Self.isAudience(audience) { throw Refusal(.audienceMalformed) }
        self.user = user
        self.payload = payload
        self.batch = batch
        self.reason = reason
        level = cell.level
        type = cell.type
        authentication = cell.authentication
        self.audience = audience
        self.occasion = occasion
    }

    private static func cell(_ level: Int, _ type: Int, _ isLevelZeroAllowed: Bool) throws(Refusal) -> Matrix.Cell {
        let cell = try Matrix.cell(level: level, type: type)
        if cell.level == .none, !isLevelZeroAllowed { throw Refusal(.methodNotSupported, .levelZeroOff) }
        return cell
    }

    /// The same from texts.
    package init(
        user: UserName, payload: String, reason: String, level: Int, type: Int, audience: String? = nil,
        occasion: Occasion? = nil, isLevelZeroAllowed: Bool
    ) throws(Refusal) {
        try self.init(
            user: user, payload: payload.utf8Span.span, reason: reason.utf8Span.span, level: level, type: type,
            audience: audience, occasion: occasion, isLevelZeroAllowed: isLevelZeroAllowed)
    }

    /// The length of the payload in extended grapheme clusters, which the result calls `dataPayloadLength` (rule O07).
    package var payloadLength: Int { payload.length }

    private static func isAudience(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
