/// A new device that asks to be let in, as of its last change: for a user, or for a name that is nobody's.
package struct ActivationRequestRow: Sendable, Hashable {
    /// How far it is. Nothing happens any more to the last four.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case offered, waiting, approved, fallback, rejected, cancelled, expired, activated
    }

    /// A UUID.
    package let id: String
    /// The name that it asks for; nil for what is no name.
    package let userName: String?
    /// How the device is to be called.
    package let deviceName: String
    /// The RFC 7638 thumbprint of its key.
    package let thumbprint: String
    /// The public key, as a JWK.
    package let jwk: String
    /// Where it asks from, as far as that is known.
    package let address: String?
    package var state: State
    /// The question to the user's other devices, where they were asked.
    package var notification: String?
    /// What the new device shows and the other one confirms.
    package var matchCode: String?
    /// The device that approved it.
    package var approver: String?
    /// The device that it became.
    package var device: String?
    /// Milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// When the other devices were asked, or would have been.
    package var askedAt: Int64?
    package var expiresAt: Int64
    /// Grows with each change; 0 before `insert`.
    package let version: Int64

    /// A new one.
    package init(
        id: String, userName: String?, deviceName: String, thumbprint: String, jwk: String, address: String?,
        createdAt: Int64, expiresAt: Int64
    ) {
        self.id = id
        self.userName = userName
        self.deviceName = deviceName
        self.thumbprint = thumbprint
        self.jwk = jwk
        self.address = address
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        state = .offered
        version = 0
    }

    /// The one with this id, or nil.
    package static func find(_ id: String, on connection: any SQLConnection) throws -> ActivationRequestRow? {
        try connection.row("SELECT * FROM activation_requests WHERE id = $1", [.text(id)])
            .map(ActivationRequestRow.init)
    }

    /// Those of a key that are not over, though their time may be.
    package static func open(
        thumbprint: String, on connection: any SQLConnection
    ) throws -> [ActivationRequestRow] {
        try connection.rows(
            "SELECT * FROM activation_requests WHERE thumbprint = $1 AND \(open) ORDER BY id", [.text(thumbprint)]
        ).map(ActivationRequestRow.init)
    }

    /// Those that a user's devices were asked about at some time or after, the newest first, at most `Page.limit`. Also those that they
    /// would have been asked about, were there such a user.
    package static func asked(
        of userName: String, since: Int64, on connection: any SQLConnection
    ) throws -> [ActivationRequestRow] {
        try connection.rows(
            """
            SELECT * FROM activation_requests WHERE user_name = $1 AND asked_at >= $2
            ORDER BY asked_at DESC LIMIT \(Page.limit)
            """, [.text(userName), .integer(since)]
        ).map(ActivationRequestRow.init)
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where the id is taken.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO activation_requests (state, notification, match_code, approver, device, asked_at, expires_at, id,
                version, user_name, device_name, thumbprint, jwk, address, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9 + 1, $10, $11, $12, $13, $14, $15)
            """,
            changing + [
                SQLValue(userName), .text(deviceName), .text(thumbprint), .text(jwk), SQLValue(address),
                .integer(createdAt),
            ])
    }

    /// Writes what may change.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since it was read: so it ends once.
    package func update(on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE activation_requests SET state = $1, notification = $2, match_code = $3, approver = $4, device = $5,
                asked_at = $6, expires_at = $7, version = version + 1
            WHERE id = $8 AND version = $9
            """, changing, "activation \(id)")
    }

    /// Ends all that are not over, as in a restored store.
    package static func cancelAll(on connection: any SQLConnection) throws {
        try connection.run(
            "UPDATE activation_requests SET state = 'cancelled', version = version + 1 WHERE \(open)")
    }

    /// Forgets those whose time was over before another, the oldest `Page.limit` at most. What came of them is in the audit.
    package static func delete(endedBefore: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            """
            DELETE FROM activation_requests WHERE id IN (
                SELECT id FROM activation_requests WHERE expires_at < $1 ORDER BY expires_at LIMIT \(Page.limit))
            """, [.integer(endedBefore)])
    }

    private static let open = "state IN ('offered', 'waiting', 'approved', 'fallback')"

    private var changing: [SQLValue] {
        [
            .text(state.rawValue), SQLValue(notification), SQLValue(matchCode), SQLValue(approver), SQLValue(device),
            SQLValue(askedAt), .integer(expiresAt), .text(id), .integer(version),
        ]
    }

    private init(_ row: SQLRow) throws {
        id = try row.text("id")
        userName = try row.optionalText("user_name")
        deviceName = try row.text("device_name")
        thumbprint = try row.text("thumbprint")
        jwk = try row.text("jwk")
        address = try row.optionalText("address")
        state = try row.word("state")
        notification = try row.optionalText("notification")
        matchCode = try row.optionalText("match_code")
        approver = try row.optionalText("approver")
        device = try row.optionalText("device")
        createdAt = try row.integer("created_at")
        askedAt = try row.optionalInteger("asked_at")
        expiresAt = try row.integer("expires_at")
        version = try row.integer("version")
    }
}
