/// What a relying service asks of persons, as of its last change. It is never deleted.
package struct RequestRow: Sendable, Hashable {
    /// What became of it. Only a pending one waits.
    package enum State: String, Sendable, Hashable { case pending, done, declined, expired, cancelled }

    /// One who is asked, and where they are with it.
    package struct Person: Sendable, Hashable {
        /// Where somebody is with it.
        package enum Answer: String, Sendable, Hashable { case waiting, signed, declined, over }

        package let userName: String
        package var answer: Answer
        /// The statement, where they signed, and only there.
        package var jti: String?

        package init(userName: String, answer: Answer = .waiting, jti: String? = nil) {
            self.userName = userName
            self.answer = answer
            self.jti = jti
        }
    }

    /// A UUID.
    package let id: String
    /// The relying service.
    package let client: String
    /// On whose behalf it says it asks.
    package let requester: String?
    /// The group that was asked, by the name that it had.
    package let group: String?
    package let payload: String
    package let reason: String
    package let level: Int
    package let type: Int
    /// How many must sign.
    package let required: Int
    /// The claim; nil where one person is asked by name, and no list or group.
    package let quorum: String?
    /// Milliseconds since 1970, like all times here.
    package let createdAt: Int64
    package let expiresAt: Int64
    package var state = State.pending
    /// When it ended; nil while it is pending.
    package var changedAt: Int64?
    /// Those who are asked, by name.
    package var persons: [Person]
    /// Grows with each change; 0 before `insert`.
    package let version: Int64

    /// A new one, pending.
    package init(
        id: String, client: String, requester: String?, group: String?, payload: String, reason: String, level: Int,
        type: Int, required: Int, quorum: String?, createdAt: Int64, expiresAt: Int64, persons: [Person]
    ) {
        self.id = id
        self.client = client
        self.requester = requester
        self.group = group
        self.payload = payload
        self.reason = reason
        self.level = level
        self.type = type
        self.required = required
        self.quorum = quorum
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.persons = persons
        version = 0
    }

    /// The request, or nil.
    package static func find(_ id: String, on connection: any SQLConnection) throws -> RequestRow? {
        try connection.row("SELECT * FROM requests WHERE id = $1", [.text(id)]).map { try RequestRow($0, connection) }
    }

    /// A page of what a service asked, newest first.
    package static func list(client: String, page: Page, on connection: any SQLConnection) throws -> [RequestRow] {
        try connection.rows(
            "SELECT * FROM requests WHERE client = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
            [.text(client), .integer(Int64(page.count)), .integer(Int64(page.startIndex - 1))]
        ).map { try RequestRow($0, connection) }
    }

    /// The oldest of those whose time is over and that nobody closed yet, at most `Page.limit` of them.
    package static func overdue(at now: Int64, on connection: any SQLConnection) throws -> [RequestRow] {
        try connection.rows(
            """
            SELECT * FROM requests WHERE state = 'pending' AND expires_at <= $1 ORDER BY expires_at
            LIMIT \(Page.limit)
            """, [.integer(now)]
        ).map { try RequestRow($0, connection) }
    }

    /// All that wait.
    package static func listPending(on connection: any SQLConnection) throws -> [RequestRow] {
        try connection.rows("SELECT * FROM requests WHERE state = 'pending' ORDER BY created_at, id")
            .map { try RequestRow($0, connection) }
    }

    /// How many wait for a user's answer, of all services and of one.
    package static func countWaiting(
        for userName: String, client: String, at now: Int64, on connection: any SQLConnection
    ) throws -> (all: Int, ofClient: Int) {
        let row = try connection.row(
            """
            SELECT COUNT(*) AS n, COALESCE(SUM(CASE WHEN client = $1 THEN 1 ELSE 0 END), 0) AS own
            FROM request_persons WHERE user_name = $2 AND answer = 'waiting' AND expires_at > $3
            """, [.text(client), .text(userName), .integer(now)])
        return (try row?.int("n") ?? 0, try row?.int("own") ?? 0)
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where the id is taken, a name comes twice, or there is no such service.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO requests (id, client, requester, group_name, payload, reason, level, type, required, quorum,
                created_at, expires_at, state, changed_at, version)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'pending', NULL, 1)
            """,
            [
                .text(id), .text(client), SQLValue(requester), SQLValue(group), .text(payload), .text(reason),
                .integer(Int64(level)), .integer(Int64(type)), .integer(Int64(required)), SQLValue(quorum),
                .integer(createdAt), .integer(expiresAt),
            ])
        for person in persons {
            try connection.run(
                """
                INSERT INTO request_persons (request, user_name, client, expires_at, answer)
                VALUES ($1, $2, $3, $4, 'waiting')
                """, [.text(id), .text(person.userName), .text(client), .integer(expiresAt)])
        }
    }

    /// Writes what may change: what became of it, and what each person answered.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since it was read: so it ends once.
    package func update(on connection: any SQLConnection) throws {
        try connection.runOnce(
            "UPDATE requests SET state = $1, changed_at = $2, version = version + 1 WHERE id = $3 AND version = $4",
            [.text(state.rawValue), SQLValue(changedAt), .text(id), .integer(version)], "request \(id)")
        for person in persons {
            try connection.run(
                "UPDATE request_persons SET answer = $1, jti = $2 WHERE request = $3 AND user_name = $4",
                [.text(person.answer.rawValue), SQLValue(person.jti), .text(id), .text(person.userName)])
        }
    }

    private init(_ row: SQLRow, _ connection: any SQLConnection) throws {
        id = try row.text("id")
        client = try row.text("client")
        requester = try row.optionalText("requester")
        group = try row.optionalText("group_name")
        payload = try row.text("payload")
        reason = try row.text("reason")
        level = try row.int("level")
        type = try row.int("type")
        required = try row.count("required")
        quorum = try row.optionalText("quorum")
        createdAt = try row.integer("created_at")
        expiresAt = try row.integer("expires_at")
        state = try row.word("state")
        changedAt = try row.optionalInteger("changed_at")
        version = try row.integer("version")
        persons = try connection.rows(
            "SELECT user_name, answer, jti FROM request_persons WHERE request = $1 ORDER BY user_name", [.text(id)]
        ).map { row in
            Person(
                userName: try row.text("user_name"), answer: try row.word("answer"), jti: try row.optionalText("jti"))
        }
    }
}
