/// A relying service. A name is never deleted and never used again, so there is no query that does.
package struct ClientRow: Sendable, Hashable {
    package let name: String
    /// SHA-256 of its secret; nil where it has a key.
    package let secret: [UInt8]?
    /// Its public key, as a JWK; nil where it has a secret.
    package let jwk: String?
    package let isLocked: Bool
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Grows with each change; 0 before `insert`.
    package let version: Int64

    /// A new one. Exactly one of `secret` and `jwk` is given.
    package init(name: String, secret: [UInt8]?, jwk: String?, createdAt: Int64) {
        self.name = name
        self.secret = secret
        self.jwk = jwk
        self.createdAt = createdAt
        isLocked = false
        version = 0
    }

    /// The client, or nil where the name was never given.
    package static func find(_ name: String, on connection: any SQLConnection) throws -> ClientRow? {
        try connection.row("SELECT * FROM clients WHERE name = $1", [.text(name)]).map(ClientRow.init)
    }

    /// All of them, by name.
    package static func list(on connection: any SQLConnection) throws -> [ClientRow] {
        try connection.rows("SELECT * FROM clients ORDER BY name").map(ClientRow.init)
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where the name is taken.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            "INSERT INTO clients (name, secret, jwk, locked, created_at, version) VALUES ($1, $2, $3, 0, $4, 1)",
            [.text(name), SQLValue(secret), SQLValue(jwk), .integer(createdAt)])
    }

    /// Locks or unlocks the client as it was read.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since.
    package func setLocked(_ locked: Bool, on connection: any SQLConnection) throws {
        try connection.runOnce(
            "UPDATE clients SET locked = $1, version = version + 1 WHERE name = $2 AND version = $3",
            [SQLValue(locked), .text(name), .integer(version)], "client \(name)")
    }

    private init(_ row: SQLRow) throws {
        name = try row.text("name")
        secret = try row.optionalBytes("secret")
        jwk = try row.optionalText("jwk")
        isLocked = try row.flag("locked")
        createdAt = try row.integer("created_at")
        version = try row.integer("version")
    }
}
