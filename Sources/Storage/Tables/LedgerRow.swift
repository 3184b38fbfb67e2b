/// How many wrong answers stand against a name. Names that do not exist have one too, so that nobody can tell.
package struct LedgerRow: Sendable, Hashable {
    /// An attempt that was taken and whose answer is not known yet.
    package struct Attempt: Sendable, Hashable {
        package let id: String
        /// The ceremony that took it.
        package let ceremony: String
        /// Milliseconds since 1970. From then on it counts as given back.
        package let expiresAt: Int64

        package init(id: String, ceremony: String, expiresAt: Int64) {
            self.id = id
            self.ceremony = ceremony
            self.expiresAt = expiresAt
        }
    }

    /// What the answers are given for. Each purpose counts by itself (rule O02).
    package enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// To a challenge.
        case stepUp = "step-up"
        /// At the door, and only with the key of one of the user's devices (attack S12).
        case login
    }

    package let userName: String
    package let purpose: Purpose
    /// Wrong answers of this round.
    package var wrong: Int = 0
    /// Wrong answers since the last right one.
    package var wrongTotal: Int = 0
    /// Blocks so far.
    package var rounds: Int = 0
    package var blockedUntil: Int64?
    package var needsOperator = false
    /// In the order in which they expire.
    package var inFlight: [Attempt] = []
    /// 0 for one that is not in the store yet.
    package let version: Int64

    /// The ledger of a name against which nothing stands.
    package init(empty userName: String, _ purpose: Purpose) {
        self.userName = userName
        self.purpose = purpose
        version = 0
    }

    /// The ledger of a name, an empty one where there is none.
    package static func load(
        _ userName: String, _ purpose: Purpose, on connection: any SQLConnection
    ) throws -> LedgerRow {
        let key: [SQLValue] = [.text(userName), .text(purpose.rawValue)]
        guard let row = try connection.row("SELECT * FROM ledgers WHERE user_name = $1 AND purpose = $2", key) else {
            return LedgerRow(empty: userName, purpose)
        }
        let attempts = try connection.rows(
            """
            SELECT id, ceremony, expires_at FROM attempts WHERE user_name = $1 AND purpose = $2
            ORDER BY expires_at, id
            """, key)
        return try LedgerRow(row, attempts)
    }

    /// Writes the ledger and its attempts as they are now.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since it was loaded.
    package func save(at: Int64, on connection: any SQLConnection) throws {
        let facts: [SQLValue] = [
            .integer(Int64(wrong)), .integer(Int64(wrongTotal)), .integer(Int64(rounds)), SQLValue(blockedUntil),
            SQLValue(needsOperator), .integer(at), .text(userName), .integer(version),
            .text(purpose.rawValue),
        ]
        let sql =
            version == 0
            ? """
            INSERT INTO ledgers
                (wrong, wrong_total, rounds, blocked_until, needs_operator, touched_at, user_name, version,
                purpose)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8 + 1, $9) ON CONFLICT (user_name, purpose) DO NOTHING
            """
            : """
            UPDATE ledgers SET wrong = $1, wrong_total = $2, rounds = $3, blocked_until = $4, needs_operator = $5,
                touched_at = $6, version = version + 1
            WHERE user_name = $7 AND version = $8 AND purpose = $9
            """
        try connection.runOnce(sql, facts, "the attempts of \(userName)")
        let key: [SQLValue] = [.text(userName), .text(purpose.rawValue)]
        try connection.run("DELETE FROM attempts WHERE user_name = $1 AND purpose = $2", key)
        for attempt in inFlight {
            try connection.run(
                "INSERT INTO attempts (user_name, purpose, id, ceremony, expires_at) VALUES ($1, $2, $3, $4, $5)",
                key + [.text(attempt.id), .text(attempt.ceremony), .integer(attempt.expiresAt)])
        }
    }

    private init(_ row: SQLRow, _ attempts: [SQLRow]) throws {
        userName = try row.text("user_name")
        purpose = try row.word("purpose")
        wrong = try row.count("wrong")
        wrongTotal = try row.count("wrong_total")
        rounds = try row.count("rounds")
        blockedUntil = try row.optionalInteger("blocked_until")
        needsOperator = try row.flag("needs_operator")
        version = try row.integer("version")
        inFlight = try attempts.map {
            try Attempt(id: $0.text("id"), ceremony: $0.text("ceremony"), expiresAt: $0.integer("expires_at"))
        }
    }
}
