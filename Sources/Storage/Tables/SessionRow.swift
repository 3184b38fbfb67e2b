/// A live session. One that ends is deleted: what came of it stays with the audit.
package struct SessionRow: Sendable, Hashable {
    /// Whose it is.
    package enum Role: String, Sendable, Hashable { case person, service, `operator` }

    /// Which sessions are meant.
    package enum Owner: Sendable, Hashable {
        case user(String)
        case client(String)
        case device(String)
        case operators
        case everybody

        fileprivate var condition: (sql: String, values: [SQLValue]) {
            switch self {
            case .user(let name): ("user_name = $1", [.text(name)])
            case .client(let name): ("client = $1", [.text(name)])
            case .device(let id): ("device = $1", [.text(id)])
            // The word stands in the text, so that the partial index serves.
            case .operators: ("role = 'operator' AND role = $1", [.text(Role.operator.rawValue)])
            case .everybody: ("role <> $1", [.text("")])
            }
        }
    }

    /// A UUID.
    package let id: String
    package let role: Role
    /// Of a person's session, and only there.
    package let userName: String?
    /// Of a person's session, and only there.
    package let device: String?
    /// What the device's user calls it; only where it was read.
    package let deviceName: String?
    /// Of a service's session, and only there.
    package let client: String?
    /// The RFC 7638 thumbprint of the key that it is bound to; only a service's may have none.
    package let thumbprint: String?
    /// SHA-256 of the access token.
    package var access: [UInt8]
    /// When its owner authenticated, milliseconds since 1970, like all times here.
    package let authTime: Int64
    package let createdAt: Int64
    package var lastUsedAt: Int64
    /// When it ends unless it is refreshed.
    package var expiresAt: Int64
    /// When its access token ends.
    package var accessExpiresAt: Int64

    /// A new one.
    package init(
        id: String, role: Role, userName: String? = nil, device: String? = nil, client: String? = nil,
        thumbprint: String?, access: [UInt8], authTime: Int64, createdAt: Int64, expiresAt: Int64,
        accessExpiresAt: Int64
    ) {
        self.id = id
        self.role = role
        self.userName = userName
        self.device = device
        deviceName = nil
        self.client = client
        self.thumbprint = thumbprint
        self.access = access
        self.authTime = authTime
        self.createdAt = createdAt
        lastUsedAt = createdAt
        self.expiresAt = expiresAt
        self.accessExpiresAt = accessExpiresAt
    }

    private static let joined = """
        sessions s
            LEFT JOIN users u ON u.name = s.user_name
            LEFT JOIN clients c ON c.name = s.client
            LEFT JOIN devices d ON d.id = s.device
        """

    /// Only the sessions whose user or client is not locked, and whose device is active (attack D4).
    private static let living = """
        (s.user_name IS NULL OR u.locked = 0) AND (s.client IS NULL OR c.locked = 0)
            AND (s.device IS NULL OR d.state = 'active' AND d.user_name = s.user_name)
        """
    private static let alive = "SELECT s.*, d.name AS device_name FROM \(joined) WHERE \(living)"
    private static let accessEnd =
        "SELECT s.access_expires_at FROM \(joined) WHERE \(living) AND s.access = $1 AND s.id = $2"

    /// The session with this access token, if the token's time is not over and nobody of it is locked or deleted. One
    /// indexed read.
    package static func find(access: [UInt8], at: Int64, on connection: any SQLConnection) throws -> SessionRow? {
        try connection.row(
            "\(alive) AND s.access = $1 AND s.access_expires_at > $2", [.bytes(access), .integer(at)]
        ).map(SessionRow.init)
    }

    /// Whether the session with this id is the one of this access token, and `find(access:at:on:)` would find it.
    package static func isAlive(
        _ id: String, access: [UInt8], at: Int64, on connection: any SQLConnection
    ) throws -> Bool {
        try connection.steadyRows(accessEnd, [.bytes(access), .text(id)]).first
            .map { try at < $0.integer("access_expires_at") } ?? false
    }

    /// The session with this id, if its time is not over and nobody of it is locked or deleted.
    package static func find(_ id: String, at: Int64, on connection: any SQLConnection) throws -> SessionRow? {
        try connection.row("\(alive) AND s.id = $1 AND s.expires_at > $2", [.text(id), .integer(at)])
            .map(SessionRow.init)
    }

    /// The live sessions of an owner, newest first, at most `Page.limit`.
    package static func list(_ owner: Owner, at: Int64, on connection: any SQLConnection) throws -> [SessionRow] {
        let (condition, values) = owner.condition
        return try connection.rows(
            "\(alive) AND s.\(condition) AND s.expires_at > $2 ORDER BY s.created_at DESC, s.id DESC LIMIT \(Page.limit)",
            values + [.integer(at)]
        ).map(SessionRow.init)
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where the token is another's, or its user, device or client is none.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO sessions (access, last_used_at, expires_at, access_expires_at, id, role, user_name, device,
                client, thumbprint, auth_time, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            changing + [
                .text(role.rawValue), SQLValue(userName), SQLValue(device), SQLValue(client), SQLValue(thumbprint),
                .integer(authTime), .integer(createdAt),
            ])
    }

    /// Writes what may change: the access token, the time of the last use, and the ends.
    ///
    /// - Throws: `StorageError.Code.conflict` where it ended meanwhile.
    package func update(on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE sessions SET access = $1, last_used_at = $2, expires_at = $3, access_expires_at = $4 WHERE id = $5
            """, changing, "session \(id)")
    }

    /// Notes that it was used.
    package static func touch(_ id: String, at: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            "UPDATE sessions SET last_used_at = $1 WHERE id = $2 AND last_used_at < $1", [.integer(at), .text(id)])
    }

    /// Ends one.
    package static func delete(_ id: String, on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM sessions WHERE id = $1", [.text(id)])
    }

    /// Ends all of an owner, but for one.
    ///
    /// - Returns: the ids of those that ended.
    package static func delete(
        _ owner: Owner, except: String? = nil, on connection: any SQLConnection
    ) throws -> [String] {
        let (condition, values) = owner.condition
        return try connection.rows(
            "DELETE FROM sessions WHERE \(condition) AND id <> $2 RETURNING id", values + [.text(except ?? "")]
        ).map { try $0.text("id") }
    }

    /// Ends the oldest of an owner's, so that no more than `count` are left.
    ///
    /// - Returns: the ids of those that ended, at most `Page.limit`.
    package static func delete(
        _ owner: Owner, butNewest count: Int, on connection: any SQLConnection
    ) throws -> [String] {
        let (condition, values) = owner.condition
        return try connection.rows(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE \(condition) ORDER BY created_at DESC, id DESC
                LIMIT \(Page.limit) OFFSET $2)
            RETURNING id
            """, values + [.integer(Int64(count))]
        ).map { try $0.text("id") }
    }

    /// Forgets those whose time is over, the oldest `Page.limit` at most, so that nobody waits long for it.
    package static func deleteExpired(at: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT \(Page.limit))
            """, [.integer(at)])
    }

    private var changing: [SQLValue] {
        [.bytes(access), .integer(lastUsedAt), .integer(expiresAt), .integer(accessExpiresAt), .text(id)]
    }

    private init(_ row: SQLRow) throws {
        id = try row.text("id")
        role = try row.word("role")
        userName = try row.optionalText("user_name")
        device = try row.optionalText("device")
        deviceName = try row.optionalText("device_name")
        client = try row.optionalText("client")
        thumbprint = try row.optionalText("thumbprint")
        access = try row.bytes("access")
        authTime = try row.integer("auth_time")
        createdAt = try row.integer("created_at")
        lastUsedAt = try row.integer("last_used_at")
        expiresAt = try row.integer("expires_at")
        accessExpiresAt = try row.integer("access_expires_at")
    }
}
