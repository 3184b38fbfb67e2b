/// Something that is to be carried to a device or to the webhook: written in the commit of what it tells.
package struct OutboxRow: Sendable, Hashable {
    /// What carries it.
    package enum Transport: String, Sendable, Hashable, CaseIterable { case apns, webhook }
    /// What became of it.
    package enum State: String, Sendable, Hashable, CaseIterable { case waiting, delivered, failed }

    /// A UUID, which whoever gets it may know it by.
    package let id: String
    package let transport: Transport
    /// What it tells, in one word.
    package let event: String
    package let userName: String
    /// The device that it goes to; nil for the webhook.
    package let device: String?
    package let notification: String?
    /// What became of the notification.
    package let status: String?
    /// Milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// After that nobody wants it any more.
    package let expiresAt: Int64
    /// How often it was tried.
    package var attempts = 0
    /// Not to be tried before.
    package var nextAt: Int64
    package var state = State.waiting
    /// What the one who took it, or refused it, said last.
    package var receipt: String?
    package var endedAt: Int64?

    /// A new one, due at once.
    package init(
        id: String, transport: Transport, event: String, userName: String, device: String? = nil,
        notification: String? = nil, status: String? = nil, createdAt: Int64, expiresAt: Int64
    ) {
        self.id = id
        self.transport = transport
        self.event = event
        self.userName = userName
        self.device = device
        self.notification = notification
        self.status = status
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        nextAt = createdAt
    }

    /// Adds it.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO outbox (id, transport, event, user_name, device, notification, status, created_at, expires_at,
                attempts, next_at, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            [
                .text(id), .text(transport.rawValue), .text(event), .text(userName), SQLValue(device),
                SQLValue(notification), SQLValue(status), .integer(createdAt), .integer(expiresAt),
                .integer(Int64(attempts)), .integer(nextAt), .text(state.rawValue),
            ])
    }

    /// Those that are due, the one that waits longest first.
    package static func due(
        _ transport: Transport, at now: Int64, limit: Int, on connection: any SQLConnection
    ) throws -> [OutboxRow] {
        try connection.rows(
            """
            SELECT * FROM outbox WHERE transport = $1 AND state = 'waiting' AND next_at <= $2
            ORDER BY next_at LIMIT $3
            """, [.text(transport.rawValue), .integer(now), .integer(Int64(limit))]
        ).map(OutboxRow.init)
    }

    /// Writes what became of the newest try; nothing where it has ended meanwhile.
    package func update(on connection: any SQLConnection) throws {
        try connection.run(
            """
            UPDATE outbox SET attempts = $1, next_at = $2, state = $3, receipt = $4, ended_at = $5
            WHERE id = $6 AND state = 'waiting'
            """,
            [
                .integer(Int64(attempts)), .integer(nextAt), .text(state.rawValue), SQLValue(receipt),
                SQLValue(endedAt), .text(id),
            ])
    }

    /// The row, or nil.
    package static func find(_ id: String, on connection: any SQLConnection) throws -> OutboxRow? {
        try connection.row("SELECT * FROM outbox WHERE id = $1", [.text(id)]).map(OutboxRow.init)
    }

    /// Makes all that waits due: whoever was to try it has gone.
    package static func begin(at now: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            "UPDATE outbox SET next_at = $1 WHERE state = 'waiting' AND next_at > $1", [.integer(now)])
    }

    /// Gives up all that waits: it is of another time.
    package static func giveUp(at now: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            "UPDATE outbox SET state = 'failed', receipt = 'restored', ended_at = $1 WHERE state = 'waiting'",
            [.integer(now)])
    }

    /// Forgets what ended long ago, a few at a time.
    package static func deleteEnded(before time: Int64, limit: Int, on connection: any SQLConnection) throws {
        try connection.run(
            """
            DELETE FROM outbox WHERE id IN
                (SELECT id FROM outbox WHERE state <> 'waiting' AND ended_at < $1 ORDER BY ended_at LIMIT $2)
            """, [.integer(time), .integer(Int64(limit))])
    }

    init(_ row: SQLRow) throws {
        id = try row.text("id")
        transport = try row.word("transport")
        event = try row.text("event")
        userName = try row.text("user_name")
        device = try row.optionalText("device")
        notification = try row.optionalText("notification")
        status = try row.optionalText("status")
        createdAt = try row.integer("created_at")
        expiresAt = try row.integer("expires_at")
        attempts = try row.int("attempts")
        nextAt = try row.integer("next_at")
        state = try row.word("state")
        receipt = try row.optionalText("receipt")
        endedAt = try row.optionalInteger("ended_at")
    }
}
