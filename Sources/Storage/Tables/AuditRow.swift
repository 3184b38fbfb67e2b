/// What happened, once an event. Never a secret, never a payload; written once, never changed, never deleted.
package struct AuditRow: Sendable, Hashable {
    /// What a list is narrowed to. Empty: everything.
    package struct Filter: Sendable, Hashable {
        package var event: String?
        package var userName: String?
        package var ceremony: String?
        package var jti: String?
        /// At or after, milliseconds since 1970.
        package var since: Int64?
        /// Before.
        package var until: Int64?
        /// Only what has a lower `seq`: where a long list goes on, whatever was added to it meanwhile.
        package var before: Int64?

        package init(
            event: String? = nil, userName: String? = nil, ceremony: String? = nil, jti: String? = nil,
            since: Int64? = nil, until: Int64? = nil, before: Int64? = nil
        ) {
            self.event = event
            self.userName = userName
            self.ceremony = ceremony
            self.jti = jti
            self.since = since
            self.until = until
            self.before = before
        }

        fileprivate var conditions: Conditions {
            var conditions = Conditions()
            conditions.add("event", "=", SQLValue(event))
            conditions.add("user_name", "=", SQLValue(userName))
            conditions.add("ceremony", "=", SQLValue(ceremony))
            // The one row of a batch names none of its statements, each of which names the ceremony.
            conditions.add(SQLValue(jti)) { jti in
                """
                (jti = \(jti) OR event = 'signed' AND jti IS NULL
                    AND ceremony = (SELECT ceremony FROM statements WHERE jti = \(jti)))
                """
            }
            conditions.add("at", ">=", SQLValue(since))
            conditions.add("at", "<", SQLValue(until))
            conditions.add("seq", "<", SQLValue(before))
            return conditions
        }
    }

    /// Its place, from 1 without gaps; nil before `append`.
    package private(set) var seq: Int64?
    /// Milliseconds since 1970.
    package var at: Int64
    /// What happened, in one word.
    package var event: String
    package var userName: String?
    package var ceremony: String?
    package var jti: String?
    /// SHA-256 of the payload, 64 lower-case hexadecimal digits.
    package var digest: String?
    /// Of the payload, in characters.
    package var length: Int?
    package var level: Int?
    package var type: Int?
    /// The kind of evidence that was asked for.
    package var method: String?
    /// 0, or the refusal's number.
    package var result: Int
    package var detail: String?

    package init(
        at: Int64, event: String, userName: String? = nil, ceremony: String? = nil, jti: String? = nil,
        digest: String? = nil, length: Int? = nil, level: Int? = nil, type: Int? = nil, method: String? = nil,
        result: Int, detail: String? = nil
    ) {
        self.at = at
        self.event = event
        self.userName = userName
        self.ceremony = ceremony
        self.jti = jti
        self.digest = digest
        self.length = length
        self.level = level
        self.type = type
        self.method = method
        self.result = result
        self.detail = detail
    }

    /// Adds it after the last one.
    package func append(on connection: any SQLConnection) throws {
        // Without RETURNING, for which SQLite makes a table of its own each time.
        try connection.append(
            """
            INSERT INTO audit (seq, at, event, user_name, ceremony, jti, digest, length, level, type, method, result,
                detail)
            VALUES ((SELECT COALESCE(MAX(seq), 0) + 1 FROM audit), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            [
                .integer(at), .text(event), SQLValue(userName), SQLValue(ceremony), SQLValue(jti), SQLValue(digest),
                SQLValue(length.map(Int64.init)), SQLValue(level.map(Int64.init)), SQLValue(type.map(Int64.init)),
                SQLValue(method), .integer(Int64(result)), SQLValue(detail),
            ])
        connection.amend { (newest: inout NewestTime) in newest.at = max(newest.at ?? at, at) }
    }

    /// A page of those that the filter lets through, newest first.
    package static func list(
        _ filter: Filter = Filter(), page: Page = .first, on connection: any SQLConnection
    ) throws -> [AuditRow] {
        var conditions = filter.conditions
        let sql = "SELECT * FROM audit\(conditions.sql) ORDER BY seq DESC"
        return try connection.rows(sql + conditions.page(page), conditions.values).map(AuditRow.init)
    }

    /// How many the filter lets through.
    package static func count(_ filter: Filter = Filter(), on connection: any SQLConnection) throws -> Int {
        let conditions = filter.conditions
        let row = try connection.row("SELECT COUNT(*) AS n FROM audit\(conditions.sql)", conditions.values)
        return try row?.int("n") ?? 0
    }

    /// The newest time that was ever recorded, or nil in a new store. A clock behind it is wrong.
    package static func newestRecordedTime(on connection: any SQLConnection) throws -> Int64? {
        try connection.steady {
            NewestTime(at: try connection.row("SELECT MAX(at) AS at FROM audit")?.optionalInteger("at"))
        }.at
    }

    private struct NewestTime: Sendable {
        var at: Int64?
    }

    /// The place of the newest, 0 where there is none.
    package static func newestPlace(on connection: any SQLConnection) throws -> Int64 {
        try connection.row("SELECT COALESCE(MAX(seq), 0) AS seq FROM audit")?.integer("seq") ?? 0
    }

    /// The users of all that was recorded behind a place.
    package static func users(after seq: Int64, on connection: any SQLConnection) throws -> [String] {
        try connection.rows(
            "SELECT DISTINCT user_name FROM audit WHERE seq > $1 AND user_name IS NOT NULL", [.integer(seq)]
        ).map { try $0.text("user_name") }
    }

    private init(_ row: SQLRow) throws {
        seq = try row.integer("seq")
        at = try row.integer("at")
        event = try row.text("event")
        userName = try row.optionalText("user_name")
        ceremony = try row.optionalText("ceremony")
        jti = try row.optionalText("jti")
        digest = try row.optionalText("digest")
        length = try row.optionalInt("length")
        level = try row.optionalInt("level")
        type = try row.optionalInt("type")
        method = try row.optionalText("method")
        result = try row.int("result")
        detail = try row.optionalText("detail")
    }
}
