/// The answer to a request that named itself (`Idempotency-Key`), so that the same request gets it again. It is written in the
/// transaction that it tells of.
package struct ReplyRow: Sendable, Hashable {
    /// What was answered.
    package enum Content: Sendable, Hashable {
        /// A status and a sealed body.
        case body(status: Int, sealed: [UInt8])
        /// A ceremony, as it is when it is asked for.
        case ceremony(String)
    }

    /// Who asked: the keys of two owners have nothing to do with each other.
    package let owner: String
    /// What the owner calls the request.
    package let key: String
    /// The digest of the request, under a key of the store: the request may hold a password.
    package let digest: [UInt8]
    package let content: Content
    /// Milliseconds since 1970.
    package let at: Int64

    package init(owner: String, key: String, digest: [UInt8], content: Content, at: Int64) {
        self.owner = owner
        self.key = key
        self.digest = digest
        self.content = content
        self.at = at
    }

    /// The answer, or nil where there is none of `time` or later.
    package static func find(
        owner: String, key: String, since time: Int64, on connection: any SQLConnection
    ) throws -> ReplyRow? {
        try connection.row(
            "SELECT * FROM replies WHERE owner = $1 AND key = $2 AND at >= $3",
            [.text(owner), .text(key), .integer(time)]
        ).map(ReplyRow.init)
    }

    /// Adds it, in the place of one from before `time`.
    ///
    /// - Throws: `StorageError.Code.constraint` where there is one already.
    package func insert(replacing time: Int64, on connection: any SQLConnection) throws {
        var status: Int64?
        var body: [UInt8]?
        var ceremony: String?
        switch content {
        case .body(let number, let sealed): (status, body) = (Int64(number), sealed)
        case .ceremony(let id): ceremony = id
        }
        let written = try connection.append(
            """
            INSERT INTO replies (owner, key, digest, status, body, ceremony, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (owner, key) DO UPDATE SET digest = $3, status = $4, body = $5, ceremony = $6, at = $7
                WHERE replies.at < $8
            """,
            [
                .text(owner), .text(key), .bytes(digest), SQLValue(status), SQLValue(body), SQLValue(ceremony),
                .integer(at), .integer(time),
            ])
        guard written == 1 else { throw StorageError(.constraint, "this request was answered already") }
    }

    /// Whether there may be any from before `time`. A new one is not, so what a commit saw first holds for all that share it.
    private static func mayBeOlder(than time: Int64, on connection: any SQLConnection) throws -> Bool {
        try connection.steady {
            OldestTime(at: try connection.row("SELECT MIN(at) AS at FROM replies")?.optionalInteger("at"))
        }.at.map { $0 < time } ?? false
    }

    private struct OldestTime: Sendable {
        let at: Int64?
    }

    /// Forgets those from before `time`, the oldest `limit` at most, so that nobody waits long for it.
    package static func delete(
        before time: Int64, limit: Int = Page.limit, on connection: any SQLConnection
    ) throws {
        guard try mayBeOlder(than: time, on: connection) else { return }
        try connection.append(
            """
            DELETE FROM replies WHERE (owner, key) IN (
                SELECT owner, key FROM replies WHERE at < $1 ORDER BY at LIMIT \(limit))
            """, [.integer(time)])
    }

    /// Forgets all of them.
    package static func deleteAll(on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM replies")
    }

    private init(_ row: SQLRow) throws {
        owner = try row.text("owner")
        key = try row.text("key")
        digest = try row.bytes("digest")
        if let body = try row.optionalBytes("body") {
            content = .body(status: try row.int("status"), sealed: body)
        } else {
            content = .ceremony(try row.text("ceremony"))
        }
        at = try row.integer("at")
    }
}
