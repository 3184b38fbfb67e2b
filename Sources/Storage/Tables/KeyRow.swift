/// A key pair of the store. Its public half is never deleted, so there is no query that does.
package struct KeyRow: Sendable, Hashable {
    /// What it may sign.
    package enum Purpose: String, Sendable, Hashable { case sign, root }

    /// Where it is in its life; it never goes back.
    package enum State: String, Sendable, Hashable { case published, active, retired, revoked }

    /// Why it was revoked.
    package enum Revocation: String, Sendable, Hashable { case superseded, compromised }

    /// The RFC 7638 thumbprint.
    package let kid: String
    package let purpose: Purpose
    /// JOSE's name of it.
    package let algorithm: String
    package var state: State
    /// The public half, as a JWK.
    package let jwk: String
    /// The private half, sealed under the master key; nil where it is kept elsewhere.
    package var sealed: [UInt8]?
    /// Milliseconds since 1970, like all times here.
    package let publishedAt: Int64
    package var activatedAt: Int64?
    package var retiredAt: Int64?
    package var revokedAt: Int64?
    package var revocation: Revocation?
    /// Grows with each change; 0 before `insert`.
    package let version: Int64

    /// A new key, published and not yet active.
    package init(
        kid: String, purpose: Purpose, algorithm: String, jwk: String, sealed: [UInt8]?, publishedAt: Int64
    ) {
        self.kid = kid
        self.purpose = purpose
        self.algorithm = algorithm
        self.jwk = jwk
        self.sealed = sealed
        self.publishedAt = publishedAt
        state = .published
        version = 0
    }

    /// The key, or nil.
    package static func find(_ kid: String, on connection: any SQLConnection) throws -> KeyRow? {
        try connection.row("SELECT * FROM keys WHERE kid = $1", [.text(kid)]).map(KeyRow.init)
    }

    /// All keys, in the order in which they were published.
    package static func list(
        purpose: Purpose? = nil, state: State? = nil, on connection: any SQLConnection
    ) throws -> [KeyRow] {
        var conditions = Conditions()
        conditions.add("purpose", "=", SQLValue(purpose?.rawValue))
        conditions.add("state", "=", SQLValue(state?.rawValue))
        return try connection.rows(
            "SELECT * FROM keys\(conditions.sql) ORDER BY published_at, kid", conditions.values
        ).map(KeyRow.init)
    }

    /// The thumbprint of the key that signs now, or nil.
    package static func activeID(on connection: any SQLConnection) throws -> String? {
        try connection.steady {
            // The oldest, but not by ORDER BY, for which SQLite opens a table of its own each time.
            let rows = try connection.rows(
                "SELECT kid, published_at FROM keys WHERE purpose = 'sign' AND state = 'active'")
            return ActiveKey(
                id: try rows.map { (try $0.integer("published_at"), try $0.text("kid")) }.min { $0 < $1 }?.1)
        }.id
    }

    private struct ActiveKey: Sendable {
        let id: String?
    }

    /// Some key whose private half is here, or nil.
    package static func anySealed(on connection: any SQLConnection) throws -> KeyRow? {
        try connection.row("SELECT * FROM keys WHERE sealed IS NOT NULL ORDER BY published_at DESC, kid LIMIT 1")
            .map(KeyRow.init)
    }

    /// Adds the key.
    ///
    /// - Throws: `StorageError.Code.constraint` where it is there already.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO keys (state, sealed, activated_at, retired_at, revoked_at, revocation, kid, version,
                purpose, algorithm, jwk, published_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8 + 1, $9, $10, $11, $12)
            """,
            changing + [
                .text(purpose.rawValue), .text(algorithm), .text(jwk), .integer(publishedAt),
            ])
    }

    /// Writes what may change: the state, its times, and the sealed half.
    ///
    /// - Throws: `StorageError.Code.conflict` where the key was changed since it was read.
    package func update(on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE keys SET state = $1, sealed = $2, activated_at = $3, retired_at = $4, revoked_at = $5,
                revocation = $6, version = version + 1
            WHERE kid = $7 AND version = $8
            """,
            changing, "key \(kid)")
    }

    private var changing: [SQLValue] {
        [
            .text(state.rawValue), SQLValue(sealed), SQLValue(activatedAt), SQLValue(retiredAt), SQLValue(revokedAt),
            SQLValue(revocation?.rawValue), .text(kid), .integer(version),
        ]
    }

    private init(_ row: SQLRow) throws {
        kid = try row.text("kid")
        purpose = try row.word("purpose")
        algorithm = try row.text("algorithm")
        state = try row.word("state")
        jwk = try row.text("jwk")
        sealed = try row.optionalBytes("sealed")
        publishedAt = try row.integer("published_at")
        activatedAt = try row.optionalInteger("activated_at")
        retiredAt = try row.optionalInteger("retired_at")
        revokedAt = try row.optionalInteger("revoked_at")
        revocation = try row.optionalWord("revocation")
        version = try row.integer("version")
    }
}
