internal import CountersignJOSE
public import CountersignKeys

/// A text that has the form of a statement. Nothing that it says has been checked: never show it as signed.
public struct UnverifiedStatement: Sendable {
    /// What it claims.
    public let claims: Claims
    /// The thumbprint of the key that it names.
    public let keyID: String
    /// The algorithm that it names.
    public let algorithm: KeyAlgorithm

    /// Reads a statement of at most 16,384 bytes, with at most one newline after it.
    ///
    /// - Throws: the format's reasons of `docs/statement.md`.
    public init(_ text: Span<UInt8>) throws(InvalidReason) {
        var form = StatementForm()
        self = try form.read(text)
    }

    init(claims: Claims, header: StatementHeader) {
        self.claims = claims
        keyID = header.keyID
        algorithm = header.algorithm
    }
}

/// Reads statements one after the other, with buffers that are used again. What the texts have in common, header and claims, is
/// read once: the same bytes mean the same.
package struct StatementForm {
    /// The parts of the text that was read last.
    private(set) var signingInput = 0..<0
    /// The signature of the text that was read last.
    private(set) var signature: [UInt8] = []

    private var headerBytes: [UInt8] = []
    private var payload: [UInt8] = []
    private var writer = JSONWriter()
    private var headers = KnownHeaders()
    private var claims = KnownClaims()

    /// A reader that has read nothing.
    package init() {}

    /// Reads a text: what it claims, its signing input and its signature.
    package mutating func read(_ text: Span<UInt8>) throws(InvalidReason) -> UnverifiedStatement {
        let parts = try CompactParts(text, maxBytes: StatementText.maxBytes)
        let headerText = text.extracting(parts.header)
        // The whole text comes before what it says.
        let known = headers.find(headerText)
        if known == nil { try parts.decode(parts.header, of: text, into: &headerBytes) }
        try parts.decode(parts.payload, of: text, into: &payload)
        try parts.decode(parts.signature, of: text, into: &signature)
        let header: StatementHeader
        if let known {
            header = known
        } else {
            header = try StatementHeader(headerBytes)
            headers.add(headerText, header)
        }
        let claims = try ClaimsDecoder.claims(of: payload, &self.claims)
        writer.removeAll()
        claims.write(to: &writer)
        guard writer.hasWritten(payload) else { throw .claims }
        signingInput = parts.signingInput
        return UnverifiedStatement(claims: claims, header: header)
    }
}
