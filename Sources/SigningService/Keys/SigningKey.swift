internal import CountersignJOSE
package import CountersignKeys
internal import Storage

/// A key of the store, without its private half.
package struct SigningKey: Sendable {
    /// What a key may sign.
    package enum Purpose: String, Sendable {
        /// Statements.
        case statements = "sign"
        /// Key histories only.
        case root
    }

    /// Where a key is in its life. It never goes back.
    package enum State: String, Sendable, CaseIterable {
        /// Made, and served in the JWKS, so that verifiers know it before it signs.
        case published
        /// It signs. One key at most is active.
        case active
        /// It signs no more; what it signed holds.
        case retired
        /// Superseded: what it signed before holds. Compromised: nothing that it signed proves when.
        case revoked
    }

    /// The thumbprint of the public key (RFC 7638).
    package let id: String
    /// What it may sign.
    package let purpose: Purpose
    /// The public key.
    package let key: PublicKey
    /// Where it is in its life.
    package let state: State
    /// Whether the private half is in the store.
    package let hasPrivateHalf: Bool
    /// When it was made, milliseconds since 1970, like all times here.
    package let publishedAt: Int64
    /// When it began to sign.
    package let activatedAt: Int64?
    /// When it ended to sign.
    package let retiredAt: Int64?
    /// When it was revoked, if it was.
    package let revokedAt: Int64?
    /// `superseded` or `compromised`.
    package let revocation: String?

    init(_ row: KeyRow) throws {
        guard case .object(let object)? = try? JSON(parsing: Array(row.jwk.utf8), maxBytes: 16_384),
            let key = try? JWK(object).key, let state = State(rawValue: row.state.rawValue),
            let purpose = Purpose(rawValue: row.purpose.rawValue)
        else { throw StorageError(.corrupt, "the public half of key \(row.kid) cannot be read") }
        self.key = key
        self.state = state
        self.purpose = purpose
        id = row.kid
        hasPrivateHalf = row.sealed != nil
        publishedAt = row.publishedAt
        activatedAt = row.activatedAt
        retiredAt = row.retiredAt
        revokedAt = row.revokedAt
        revocation = row.revocation?.rawValue
    }
}
