/// A device of a user: a key pair that its holder proved to have. A key is one device's for ever, so there is no query that deletes.
package struct DeviceRow: Sendable, Hashable {
    /// Where it is in its life. One that is deleted stays so.
    package enum State: String, Sendable, Hashable { case active, blocked, deleted }

    /// A UUID.
    package let id: String
    package let userName: String
    /// What its user calls it.
    package var name: String
    /// The RFC 7638 thumbprint of its key.
    package let thumbprint: String
    /// The public key, as a JWK.
    package let jwk: String
    package var state: State
    /// Milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// When it was let in: from then on it is on probation, where the store has one.
    package let activatedAt: Int64
    package let lastAccessAt: Int64
    /// When the operator blocked it, where it is blocked.
    package var blockedAt: Int64?
    /// Grows with each change; 0 before `insert`.
    package let version: Int64

    /// A new one, active.
    package init(id: String, userName: String, name: String, thumbprint: String, jwk: String, createdAt: Int64) {
        self.id = id
        self.userName = userName
        self.name = name
        self.thumbprint = thumbprint
        self.jwk = jwk
        self.createdAt = createdAt
        state = .active
        activatedAt = createdAt
        lastAccessAt = createdAt
        blockedAt = nil
        version = 0
    }

    /// The device, or nil.
    package static func find(_ id: String, on connection: any SQLConnection) throws -> DeviceRow? {
        try connection.row("SELECT * FROM devices WHERE id = $1", [.text(id)]).map(DeviceRow.init)
    }

    /// The device with this key, in whatever state, or nil.
    package static func find(thumbprint: String, on connection: any SQLConnection) throws -> DeviceRow? {
        try connection.row("SELECT * FROM devices WHERE thumbprint = $1", [.text(thumbprint)]).map(DeviceRow.init)
    }

    /// The device with this key, where it is an active one of this user, or nil.
    package static func activeDevice(
        _ thumbprint: String, of userName: String, on connection: any SQLConnection
    ) throws -> DeviceRow? {
        try connection.row(
            "SELECT * FROM devices WHERE thumbprint = $1 AND user_name = $2 AND state = 'active'",
            [.text(thumbprint), .text(userName)]
        ).map(DeviceRow.init)
    }

    /// A user's devices, oldest first.
    package static func list(userName: String, on connection: any SQLConnection) throws -> [DeviceRow] {
        try connection.rows("SELECT * FROM devices WHERE user_name = $1 ORDER BY created_at, id", [.text(userName)])
            .map(DeviceRow.init)
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where the key is a device's already, or there is no such user.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO devices (id, user_name, name, thumbprint, jwk, state, created_at, activated_at, last_access_at,
                blocked_at, version)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)
            """,
            [
                .text(id), .text(userName), .text(name), .text(thumbprint), .text(jwk), .text(state.rawValue),
                .integer(createdAt), .integer(activatedAt), .integer(lastAccessAt), SQLValue(blockedAt),
            ])
    }

    /// Writes what may change: its name, its state, and when it was blocked.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since it was read.
    package func update(on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE devices SET name = $1, state = $2, blocked_at = $3, version = version + 1
            WHERE id = $4 AND version = $5
            """, [.text(name), .text(state.rawValue), SQLValue(blockedAt), .text(id), .integer(version)],
            "device \(id)")
    }

    /// Notes that it was used. For everybody else nothing has changed, so the version does not grow.
    package static func touch(_ id: String, at: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            "UPDATE devices SET last_access_at = $1 WHERE id = $2 AND last_access_at < $1", [.integer(at), .text(id)])
    }

    private init(_ row: SQLRow) throws {
        id = try row.text("id")
        userName = try row.text("user_name")
        name = try row.text("name")
        thumbprint = try row.text("thumbprint")
        jwk = try row.text("jwk")
        state = try row.word("state")
        createdAt = try row.integer("created_at")
        activatedAt = try row.integer("activated_at")
        lastAccessAt = try row.integer("last_access_at")
        blockedAt = try row.optionalInteger("blocked_at")
        version = try row.integer("version")
    }
}
