internal import CountersignJOSE
public import CountersignKeys

/// Every key that signed for an issuer, and when, signed by the issuer's root key (`docs/key-history.md`).
public struct KeyHistory: Sendable {
    /// The longest history, in bytes.
    static let maxBytes = 1_048_576
    /// The header's `typ`.
    static let type: StaticString = "countersign-keys+jwt"

    /// Whose keys these are.
    public let issuer: String
    /// When the history was made, seconds since 1970.
    public let issuedAt: Int64
    /// When it should no longer be relied on, seconds since 1970.
    public let expiresAt: Int64
    /// A number that grows with every history of the issuer.
    public let serial: Int64
    /// The root key.
    public let root: PublicKey
    /// The keys, in the order in which they were made.
    public let keys: [TrustedKey]

    /// A history to be signed.
    package init(
        issuer: String, issuedAt: Int64, expiresAt: Int64, serial: Int64, root: PublicKey, keys: [TrustedKey]
    ) {
        self.issuer = issuer
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.serial = serial
        self.root = root
        self.keys = keys
    }

    /// Reads a history and checks it against the pin of its root key.
    ///
    /// - Parameters:
    ///   - text: the compact JWS, with at most one newline after it.
    ///   - pin: the thumbprint of the root key.
    public init(_ text: [UInt8], root pin: String) throws(TrustError) {
        let header: StatementHeader
        let parts: CompactParts
        var payload: [UInt8] = []
        var signature: [UInt8] = []
        do {
            parts = try CompactParts(text.span, maxBytes: Self.maxBytes)
            try parts.decode(parts.header, of: text.span, into: &payload)
            header = try StatementHeader(payload, type: Self.type)
            try parts.decode(parts.payload, of: text.span, into: &payload)
            try parts.decode(parts.signature, of: text.span, into: &signature)
        } catch {
            throw TrustError(.malformedHistory, error.description)
        }
        self = try KeyHistoryClaims.history(of: payload)
        let keyID = Thumbprint.sha256(of: root)
        guard keyID.utf8.elementsEqual(pin.utf8) else {
            throw TrustError(.rootDiffers, "its thumbprint is \(keyID)")
        }
        guard header.keyID.utf8.elementsEqual(pin.utf8), header.algorithm == root.algorithm else {
            throw TrustError(.malformedHistory, "the header names another key than the root key")
        }
        guard root.isValid(signature.span, for: text.span.extracting(parts.signingInput)) else {
            throw TrustError(.malformedHistory, "the signature is wrong")
        }
    }

    /// Signs the history.
    ///
    /// - Returns: the compact JWS, without a newline.
    package func signed(by key: PrivateKey) throws(KeyError) -> [UInt8] {
        let signer = StatementSigner(key, type: Self.type)
        return try signer.sign(KeyHistoryClaims.bytes(of: self))
    }
}
