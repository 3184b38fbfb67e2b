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

/// Reads statements one after the other, with buffers that are used again.
struct StatementForm {
    /// The parts of the text that was read last.
    private(set) var signingInput = 0..<0
    /// The signature of the text that was read last.
    private(set) var signature: [UInt8] = []

    private var headerBytes: [UInt8] = []
    private var payload: [UInt8] = []
    private var writer = JSONWriter()
    private var lastHeader: (text: [UInt8], header: StatementHeader)?

    /// Reads a text: what it claims, its signing input and its signature.
    mutating func read(_ text: Span<UInt8>) throws(InvalidReason) -> UnverifiedStatement {
        let parts = try CompactParts(text, maxBytes: StatementText.maxBytes)
        // The whole text comes before what it says.
        let known = knownHeader(text, parts.header)
        if known == nil { try parts.decode(parts.header, of: text, into: &headerBytes) }
        try parts.decode(parts.payload, of: text, into: &payload)
        try parts.decode(parts.signature, of: text, into: &signature)
        let header = if let known { known } else { try readHeader(text, parts.header) }
        let claims = try ClaimsDecoder.claims(of: payload)
        writer.removeAll()
        claims.write(to: &writer)
        guard writer.bytes == payload else { throw .claims }
        signingInput = parts.signingInput
        return UnverifiedStatement(claims: claims, header: header)
    }

    /// The header of the last statement, if this one has the same: there are few keys and many statements.
    private func knownHeader(_ text: Span<UInt8>, _ part: Range<Int>) -> StatementHeader? {
        guard let lastHeader, lastHeader.text.count == part.count else { return nil }
        for index in part where text[index] != lastHeader.text[index] { return nil }
        return lastHeader.header
    }

    /// Reads the header that was decoded.
    private mutating func readHeader(_ text: Span<UInt8>, _ part: Range<Int>) throws(InvalidReason) -> StatementHeader {
        let read = try StatementHeader(headerBytes)
        var characters: [UInt8] = []
        for index in part { characters.append(text[index]) }
        lastHeader = (characters, read)
        return read
    }
}
