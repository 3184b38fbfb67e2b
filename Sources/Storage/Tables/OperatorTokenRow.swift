/// The token with which an operator begins, at most one; deleted when it is used.
package enum OperatorTokenRow {
    /// Puts a new one in the place of the old one.
    ///
    /// - Parameters:
    ///   - hash: SHA-256 of the token.
    ///   - expiresAt: milliseconds since 1970.
    package static func replace(hash: [UInt8], expiresAt: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO operator_tokens (one, hash, expires_at) VALUES (1, $1, $2)
            ON CONFLICT (one) DO UPDATE SET hash = $1, expires_at = $2
            """, [.bytes(hash), .integer(expiresAt)])
    }

    /// Uses it up.
    ///
    /// - Returns: whether there was such a token, and its time was not over.
    package static func use(hash: [UInt8], at: Int64, on connection: any SQLConnection) throws -> Bool {
        try connection.run(
            "DELETE FROM operator_tokens WHERE hash = $1 AND expires_at > $2", [.bytes(hash), .integer(at)]) == 1
    }

    /// Whether there is one that can be used.
    package static func exists(at: Int64, on connection: any SQLConnection) throws -> Bool {
        try connection.row("SELECT one FROM operator_tokens WHERE expires_at > $1", [.integer(at)]) != nil
    }

    /// Ends it.
    package static func delete(on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM operator_tokens")
    }
}
