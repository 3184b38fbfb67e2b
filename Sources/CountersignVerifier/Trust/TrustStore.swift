internal import CountersignJOSE
public import CountersignKeys

/// The keys that a verifier trusts: read from a JWKS (RFC 7517), a key history with its root pinned, or PEM.
public struct TrustStore: Sendable {
    /// The longest trust file, in bytes.
    public static let maxBytes = 1_048_576

    /// What is known of a key id.
    enum Entry: Sendable {
        case trusted(TrustedKey)
        /// It is in the file, but had to be skipped.
        case unusable
        /// The root key of the history.
        case root
    }

    /// What is known, by key id.
    let entries: EntryTable
    /// When the history expires, seconds since 1970; nil where the file is none.
    public let expiresAt: Int64?
    /// The issuer that the history names; nil where the file is none.
    public let issuer: String?
    /// The serial of the history; nil where the file is none.
    public let serial: Int64?
    /// Keys that were skipped, one sentence each.
    public let warnings: [String]

    /// How many keys can be used.
    public var keyCount: Int { entries.keyCount }

    /// Reads a trust file of any of the three kinds.
    ///
    /// - Parameters:
    ///   - bytes: the file, at most 1 MiB.
    ///   - root: the thumbprint of the root key: needed for a history, an error for anything else.
    ///   - rsaAlgorithm: what RSA keys in PEM are for, since PEM cannot say it (PS256 or RS256).
    public init(_ bytes: [UInt8], root: String? = nil, rsaAlgorithm: KeyAlgorithm? = nil) throws(TrustError) {
        guard bytes.count <= Self.maxBytes else { throw TrustError(.tooLong, "") }
        if let root, !Thumbprint.isWellFormed(root) {
            throw TrustError(.rootMalformed, "a thumbprint has 43 characters of base64url")
        }
        switch bytes.first(where: { !PEMFile.isSpace($0) }) {
        case UInt8(ascii: "{"):
            try Self.refuse(root, "a JWKS")
            try self.init(keySet: bytes)
        case UInt8(ascii: "-"):
            try Self.refuse(root, "PEM")
            try self.init(pem: bytes, rsaAlgorithm: rsaAlgorithm)
        case UInt8(ascii: "e"):
            guard let root else { throw TrustError(.rootNotPinned, "") }
            try self.init(KeyHistory(bytes, root: root))
        default:
            throw TrustError(.unknownFormat, bytes.isEmpty ? "it is empty" : "it begins with something else")
        }
    }

    /// Trusts what a verified key history says.
    public init(_ history: KeyHistory) {
        var entries: [(id: String, entry: Entry)] = []
        for key in history.keys { entries.append((Thumbprint.sha256(of: key.key), .trusted(key))) }
        entries.append((Thumbprint.sha256(of: history.root), .root))
        self.init(
            entries: entries, expiresAt: history.expiresAt, issuer: history.issuer, serial: history.serial,
            warnings: [])
    }

    /// Trusts these keys.
    package init(keys: [TrustedKey]) {
        var entries: [(id: String, entry: Entry)] = []
        for key in keys { entries.append((Thumbprint.sha256(of: key.key), .trusted(key))) }
        self.init(entries: entries)
    }

    private init(
        entries: [(id: String, entry: Entry)], expiresAt: Int64? = nil, issuer: String? = nil, serial: Int64? = nil,
        warnings: [String] = []
    ) {
        self.entries = EntryTable(entries)
        self.expiresAt = expiresAt
        self.issuer = issuer
        self.serial = serial
        self.warnings = warnings
    }

    private init(keySet bytes: [UInt8]) throws(TrustError) {
        let set: JWKSet
        do { set = try JWKSet.parse(bytes.span) } catch {
            throw TrustError(error.code == .noUsableKey ? .noUsableKey : .malformedKeySet, "\(error)")
        }
        var entries: [(id: String, entry: Entry)] = []
        for skipped in set.skipped {
            // What has not the form of a thumbprint is no name of a key; Swift would take U+212A in it for K.
            if let keyID = skipped.keyID, Thumbprint.isWellFormed(keyID) { entries.append((keyID, .unusable)) }
        }
        for member in set.keys { entries.append((member.keyID, .trusted(TrustedKey(key: member.key)))) }
        let warnings = set.skipped.map { "key \($0.index + 1) of the set is skipped: \($0.reason)" }
        self.init(entries: entries, warnings: warnings)
    }

    private init(pem bytes: [UInt8], rsaAlgorithm: KeyAlgorithm?) throws(TrustError) {
        var entries: [(id: String, entry: Entry)] = []
        for (index, block) in try PEMFile.blocks(of: bytes).enumerated() {
            do {
                let key = try Self.key(ofPEM: bytes[block].span, rsaAlgorithm: rsaAlgorithm)
                entries.append((Thumbprint.sha256(of: key), .trusted(TrustedKey(key: key))))
            } catch {
                if error.code == .algorithmMismatch, rsaAlgorithm == nil {
                    throw TrustError(.algorithmNeeded, "block \(index + 1)")
                }
                throw TrustError(.malformedPEM, "block \(index + 1): \(error.detail)")
            }
        }
        self.init(entries: entries)
    }

    private static func key(
        ofPEM block: Span<UInt8>, rsaAlgorithm: KeyAlgorithm?
    ) throws(KeyError) -> PublicKey {
        do { return try PublicKey(pem: block) } catch {
            guard error.code == .algorithmMismatch, let rsaAlgorithm else { throw error }
            return try PublicKey(pem: block, algorithm: rsaAlgorithm)
        }
    }

    private static func refuse(_ root: String?, _ kind: String) throws(TrustError) {
        guard root == nil else {
            throw TrustError(.rootNotExpected, "this file is \(kind), and only a key history has a root key")
        }
    }
}
