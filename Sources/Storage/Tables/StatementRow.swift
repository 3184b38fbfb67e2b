/// A statement that was signed. Written once, never changed, never deleted.
package struct StatementRow: Sendable, Hashable {
    /// What a list is narrowed to. Empty: everything.
    package struct Filter: Sendable, Hashable {
        package var userName: String?
        /// Signed at or after, milliseconds since 1970.
        package var since: Int64?
        /// Signed before.
        package var until: Int64?
        package var kid: String?
        package var level: Int?
        /// The relying service that it is meant for.
        package var audience: String?
        /// Somewhere in payload or reason, in either case.
        package var keyword: String?

        package init(
            userName: String? = nil, since: Int64? = nil, until: Int64? = nil, kid: String? = nil, level: Int? = nil,
            audience: String? = nil, keyword: String? = nil
        ) {
            self.userName = userName
            self.since = since
            self.until = until
            self.kid = kid
            self.level = level
            self.audience = audience
            self.keyword = keyword
        }

        fileprivate var conditions: Conditions {
            var conditions = Conditions()
            conditions.add("user_name", "=", SQLValue(userName))
            conditions.add("issued_at", ">=", SQLValue(since))
            conditions.add("issued_at", "<", SQLValue(until))
            conditions.add("kid", "=", SQLValue(kid))
            conditions.add("level", "=", SQLValue(level.map(Int64.init)))
            conditions.add("audience", "=", SQLValue(audience))
            conditions.add("folded", contains: keyword.map(FoldedText.init))
            return conditions
        }
    }

    /// A UUID, unique for ever.
    package let jti: String
    /// The ceremony that it came from; no second statement comes from one, but for a batch. At level 0 the `jti`: there was nothing but the
    /// signature.
    package let ceremony: String
    package let userName: String
    /// Milliseconds since 1970.
    package let issuedAt: Int64
    package let level: Int
    package let type: Int
    package let kid: String
    package let payload: String
    package let reason: String
    package let audience: String?
    /// The compact JWS.
    package let text: String
    /// The place in the batch that was signed at once, from 1; 0 for one that was signed by itself.
    package let place: Int
    /// What the caller calls it, in a batch.
    package let reference: String?

    package init(
        jti: String, ceremony: String, userName: String, issuedAt: Int64, level: Int, type: Int, kid: String,
        payload: String, reason: String, audience: String?, text: String, place: Int = 0, reference: String? = nil
    ) {
        self.jti = jti
        self.ceremony = ceremony
        self.userName = userName
        self.issuedAt = issuedAt
        self.level = level
        self.type = type
        self.kid = kid
        self.payload = payload
        self.reason = reason
        self.audience = audience
        self.text = text
        self.place = place
        self.reference = reference
    }

    /// Adds it.
    ///
    /// - Throws: as `Prepared.insert` does.
    package func insert(on connection: any SQLConnection) throws { try prepared.insert(on: connection) }

    /// The same, ready to be added.
    package var prepared: Prepared {
        var prepared = Prepared(
            ceremony: ceremony, userName: userName, issuedAt: issuedAt, level: level, type: type, kid: kid,
            reason: reason, audience: audience)
        prepared.add(jti: jti, payload: payload, text: text, place: place, reference: reference)
        return prepared
    }

    /// All that the insertion of a statement needs, or that of several from one ceremony, so that it is not made while others wait for the
    /// transaction.
    package struct Prepared: Sendable {
        private let common: [SQLValue]
        private let reason: FoldedText
        private var rows: [[SQLValue]] = []

        /// No statement, so far: what those that are added have in common.
        package init(
            ceremony: String, userName: String, issuedAt: Int64, level: Int, type: Int, kid: String, reason: String,
            audience: String?
        ) {
            common = [
                .text(ceremony), .text(userName), .integer(issuedAt), .integer(Int64(level)), .integer(Int64(type)),
                .text(kid), .text(reason), SQLValue(audience),
            ]
            self.reason = FoldedText(reason)
        }

        /// Another statement, behind the others.
        package mutating func add(jti: String, payload: String, text: String, place: Int, reference: String?) {
            let folded = FoldedText(payload).text + "\n" + reason.text
            rows.append([
                .text(jti), .text(payload), .text(text), .text(folded), .integer(Int64(place)), SQLValue(reference),
            ])
        }

        /// Adds the statements.
        ///
        /// - Throws: `StorageError.Code.constraint` where a `jti` or a place in the ceremony has one already, or the key is not in
        ///   the store.
        package func insert(on connection: any SQLConnection) throws {
            try connection.append(Self.insertion, common: common, rows: rows)
        }

        private static let insertion = """
            INSERT INTO statements (ceremony, user_name, issued_at, level, type, kid, reason, audience, jti, payload, text,
                folded, place, reference)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """
    }

    /// The statement with this id, or nil.
    package static func find(jti: String, on connection: any SQLConnection) throws -> StatementRow? {
        try connection.row("SELECT \(columns) FROM statements WHERE jti = $1", [.text(jti)]).map(StatementRow.init)
    }

    /// What came from this ceremony: nothing, one statement, or those of a batch in their order.
    package static func list(ceremony: String, on connection: any SQLConnection) throws -> [StatementRow] {
        try connection.rows(
            """
            SELECT \(columns) FROM statements WHERE jti = $1 AND ceremony = $1
            UNION ALL SELECT \(columns) FROM statements WHERE ceremony = $1 AND ceremony <> jti ORDER BY place
            """, [.text(ceremony)]
        ).map(StatementRow.init)
    }

    /// A page of those that the filter lets through, newest first.
    package static func list(
        _ filter: Filter = Filter(), page: Page = .first, on connection: any SQLConnection
    ) throws -> [StatementRow] {
        var conditions = filter.conditions
        let sql = "SELECT \(columns) FROM statements\(conditions.sql) ORDER BY issued_at DESC, jti DESC"
        return try connection.rows(sql + conditions.page(page), conditions.values).map(StatementRow.init)
    }

    /// How many the filter lets through.
    package static func count(_ filter: Filter = Filter(), on connection: any SQLConnection) throws -> Int {
        let conditions = filter.conditions
        let row = try connection.row("SELECT COUNT(*) AS n FROM statements\(conditions.sql)", conditions.values)
        return try row?.int("n") ?? 0
    }

    /// Without `folded`, which nobody reads.
    private static let columns =
        "jti, ceremony, user_name, issued_at, level, type, kid, payload, reason, audience, text, place, reference"

    private init(_ row: SQLRow) throws {
        jti = try row.text("jti")
        ceremony = try row.text("ceremony")
        userName = try row.text("user_name")
        issuedAt = try row.integer("issued_at")
        level = try row.int("level")
        type = try row.int("type")
        kid = try row.text("kid")
        payload = try row.text("payload")
        reason = try row.text("reason")
        audience = try row.optionalText("audience")
        text = try row.text("text")
        place = try row.int("place")
        reference = try row.optionalText("reference")
    }
}
