/// A refresh token of a live session. The used ones stay as long as they could have been used: whoever comes with one of them was
/// robbed, or is the thief (RFC 9700 section 4.14).
package struct RefreshRow: Sendable, Hashable {
    /// SHA-256 of the token.
    package let hash: [UInt8]
    /// The session, which takes its tokens with it.
    package let session: String
    /// When it was exchanged, milliseconds since 1970; nil: not yet.
    package let usedAt: Int64?

    /// A new one.
    package init(hash: [UInt8], session: String) {
        self.hash = hash
        self.session = session
        usedAt = nil
    }

    /// The token, or nil.
    package static func find(_ hash: [UInt8], on connection: any SQLConnection) throws -> RefreshRow? {
        try connection.row("SELECT * FROM refreshes WHERE hash = $1", [.bytes(hash)]).map(RefreshRow.init)
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where it is there already, or there is no such session.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run("INSERT INTO refreshes (hash, session) VALUES ($1, $2)", [.bytes(hash), .text(session)])
    }

    /// Uses it up.
    ///
    /// - Returns: whether it was unused.
    package func use(at: Int64, on connection: any SQLConnection) throws -> Bool {
        try connection.run(
            "UPDATE refreshes SET used_at = $1 WHERE hash = $2 AND used_at IS NULL", [.integer(at), .bytes(hash)]) == 1
    }

    /// Forgets those that were used before `time`, the oldest `Page.limit` at most.
    package static func deleteUsed(before time: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            """
            DELETE FROM refreshes WHERE hash IN (
                SELECT hash FROM refreshes WHERE used_at IS NOT NULL AND used_at < $1
                ORDER BY used_at LIMIT \(Page.limit))
            """, [.integer(time)])
    }

    private init(_ row: SQLRow) throws {
        hash = try row.bytes("hash")
        session = try row.text("session")
        usedAt = try row.optionalInteger("used_at")
    }
}
