package import CountersignJOSE
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
        let jws: CompactJWS
        do {
            let line = text.last == UInt8(ascii: "\n") ? Array(text.dropLast()) : text
            jws = try CompactJWS.parse(line, type: Self.type, maxBytes: Self.maxBytes)
        } catch {
            throw TrustError(.malformedHistory, error.description)
        }
        guard jws.hasPlainHeader(type: Self.type) else {
            throw TrustError(.malformedHistory, "its header is not the canonical one")
        }
        self = try KeyHistoryClaims.history(of: jws.payload)
        let keyID = Thumbprint.sha256(of: root)
        guard keyID.utf8.elementsEqual(pin.utf8) else {
            throw TrustError(.rootDiffers, "its thumbprint is \(keyID)")
        }
        guard jws.header.keyID?.hasSameUTF8(as: pin) == true, jws.header.algorithm == root.algorithm else {
            throw TrustError(.malformedHistory, "the header names another key than the root key")
        }
        guard jws.isSigned(by: root) else {
            throw TrustError(.malformedHistory, "the signature is wrong")
        }
    }

    /// Signs the history.
    ///
    /// - Returns: the compact JWS, without a newline.
    /// - Throws: `signingFailed`.
    package func signed(by key: PrivateKey) throws(JOSEError) -> [UInt8] {
        try CompactJWS.sign(
            KeyHistoryClaims.bytes(of: self), type: Self.type, keyID: Thumbprint.sha256(of: key.publicKey),
            with: key.makeSigner())
    }
}
