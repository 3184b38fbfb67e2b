/// One run of a ceremony, as of its last change.
package struct CeremonyRow: Sendable, Hashable {
    /// Where it is. Only a challenged one is open.
    package enum State: String, Sendable, Hashable { case challenged, completed, failed, cancelled, expired }

    /// A UUID.
    package let id: String
    /// A session has one open ceremony at most: the schema refuses a second.
    package let session: String
    package let userName: String
    package let generation: Int
    package var state: State
    package let payload: String
    package let reason: String
    package let level: Int
    package let type: Int
    package let audience: String?
    /// The device of the one who asked; nil on an embedded store.
    package let device: String?
    /// The notification that it is to answer, if any, and with which action.
    package let notification: String?
    package let action: String?
    /// The signing request that it accepts, if any, and the claim that says how many must sign.
    package let request: String?
    package let quorum: String?
    /// The list of what is signed, where it is several at once and it is open: who ends it lets go of it.
    package let batch: String?
    /// Milliseconds since 1970, like all times here.
    package let issuedAt: Int64
    package let expiresAt: Int64
    /// Wrong answers to this challenge.
    package var wrong: Int
    /// The refusal's number, where it failed.
    package var code: Int?
    /// The statement, where it is completed, and only there.
    package var jti: String?
    /// Grows with each change; 0 before `insert`.
    package let version: Int64

    /// A new one.
    package init(
        id: String, session: String, userName: String, generation: Int, state: State, payload: String, reason: String,
        level: Int, type: Int, audience: String?, device: String? = nil, notification: String? = nil,
        action: String? = nil, request: String? = nil, quorum: String? = nil, batch: String? = nil,
        issuedAt: Int64, expiresAt: Int64, wrong: Int = 0, code: Int? = nil, jti: String? = nil
    ) {
        self.id = id
        self.session = session
        self.userName = userName
        self.generation = generation
        self.state = state
        self.payload = payload
        self.reason = reason
        self.level = level
        self.type = type
        self.audience = audience
        self.device = device
        self.notification = notification
        self.action = action
        self.request = request
        self.quorum = quorum
        self.batch = batch
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.wrong = wrong
        self.code = code
        self.jti = jti
        version = 0
    }

    /// The ceremony, or nil.
    package static func find(_ id: String, on connection: any SQLConnection) throws -> CeremonyRow? {
        try connection.row("SELECT * FROM ceremonies WHERE id = $1", [.text(id)]).map(CeremonyRow.init)
    }

    /// The newest run of a session, or nil.
    package static func newest(
        ofSession session: String, on connection: any SQLConnection
    ) throws -> CeremonyRow? {
        try connection.row(
            "SELECT * FROM ceremonies WHERE session = $1 ORDER BY generation DESC LIMIT 1", [.text(session)]
        ).map(CeremonyRow.init)
    }

    /// The open one of a session, or nil.
    package static func findOpen(ofSession session: String, on connection: any SQLConnection) throws -> CeremonyRow? {
        try connection.steadyRows(
            "SELECT * FROM ceremonies WHERE session = $1 AND state = 'challenged'", [.text(session)]
        ).first.map(CeremonyRow.init)
    }

    /// The open ones, oldest first.
    package static func listOpen(
        userName: String? = nil, session: String? = nil, on connection: any SQLConnection
    ) throws -> [CeremonyRow] {
        // The state stands in the text, so that the partial indexes serve.
        try connection.rows(
            """
            SELECT * FROM ceremonies WHERE state = 'challenged'
                AND user_name = COALESCE($1, user_name) AND session = COALESCE($2, session)
            ORDER BY issued_at, id
            """,
            [SQLValue(userName), SQLValue(session)]
        ).map(CeremonyRow.init)
    }

    /// The open ones that are to answer a notification, oldest first.
    package static func listOpen(
        notification: String, on connection: any SQLConnection
    ) throws -> [CeremonyRow] {
        try connection.rows(
            """
            SELECT * FROM ceremonies WHERE notification = $1 AND state = 'challenged' ORDER BY issued_at, id
            """, [.text(notification)]
        ).map(CeremonyRow.init)
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where the id is taken, or the session has an open one.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO ceremonies (state, wrong, code, jti, id, version, session, user_name, generation, payload,
                reason, level, type, audience, device, issued_at, expires_at, notification, action, request, quorum,
                batch)
            VALUES ($1, $2, $3, $4, $5, $6 + 1, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                $22)
            """,
            changing + [
                .text(session), .text(userName), .integer(Int64(generation)), .text(payload), .text(reason),
                .integer(Int64(level)), .integer(Int64(type)), SQLValue(audience), SQLValue(device),
                .integer(issuedAt), .integer(expiresAt), SQLValue(notification), SQLValue(action),
                SQLValue(request), SQLValue(quorum), SQLValue(batch),
            ])
    }

    /// Writes what may change: state, wrong answers, code and `jti`. With its end its batch goes.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since it was read: so it is consumed once.
    package func update(on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE ceremonies SET state = $1, wrong = $2, code = $3, jti = $4, version = version + 1,
                batch = CASE WHEN $1 = 'challenged' THEN batch END
            WHERE id = $5 AND version = $6
            """,
            changing, "ceremony \(id)")
    }

    /// Closes the open ones whose time is over and returns them as they are now, so that each gets its audit row.
    package static func closeExpired(at: Int64, on connection: any SQLConnection) throws -> [CeremonyRow] {
        // The plus keeps the engine from walking through all that ended, by the time of their end: the open ones are few.
        try connection.rows(
            """
            UPDATE ceremonies SET state = 'expired', version = version + 1, batch = NULL
            WHERE state = 'challenged' AND +expires_at <= $1 RETURNING *
            """,
            [.integer(at)]
        ).map(CeremonyRow.init).sorted { ($0.issuedAt, $0.id) < ($1.issuedAt, $1.id) }
    }

    /// Forgets the oldest of the ones that ended and whose time was over before `time`, at most `Page.limit` of them, so that nobody
    /// waits long for it. What came of them stays with statements and audit.
    package static func deleteEnded(before time: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            """
            DELETE FROM ceremonies WHERE id IN (
                SELECT id FROM ceremonies WHERE state <> 'challenged' AND expires_at < $1
                ORDER BY expires_at LIMIT \(Page.limit))
            """, [.integer(time)])
    }

    private var changing: [SQLValue] {
        [
            .text(state.rawValue), .integer(Int64(wrong)), SQLValue(code.map(Int64.init)), SQLValue(jti), .text(id),
            .integer(version),
        ]
    }

    private init(_ row: SQLRow) throws {
        id = try row.text("id")
        session = try row.text("session")
        userName = try row.text("user_name")
        generation = try row.count("generation")
        state = try row.word("state")
        payload = try row.text("payload")
        reason = try row.text("reason")
        level = try row.int("level")
        type = try row.int("type")
        audience = try row.optionalText("audience")
        device = try row.optionalText("device")
        notification = try row.optionalText("notification")
        action = try row.optionalText("action")
        request = try row.optionalText("request")
        quorum = try row.optionalText("quorum")
        batch = try row.optionalText("batch")
        issuedAt = try row.integer("issued_at")
        expiresAt = try row.integer("expires_at")
        wrong = try row.count("wrong")
        code = try row.optionalInt("code")
        jti = try row.optionalText("jti")
        version = try row.integer("version")
    }
}
