/// A live activation code. A user has one at most; one that was used, guessed at too often or replaced is deleted.
package struct ActivationRow: Sendable, Hashable {
    /// The part of the code that is no secret.
    package let selector: String
    package let userName: String
    /// The whole code under a key of the store.
    package let tag: [UInt8]
    /// How often another secret came with this selector.
    package let wrong: Int
    /// Milliseconds since 1970, like all times here.
    package let createdAt: Int64
    package let expiresAt: Int64

    /// A new one.
    package init(selector: String, userName: String, tag: [UInt8], createdAt: Int64, expiresAt: Int64) {
        self.selector = selector
        self.userName = userName
        self.tag = tag
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        wrong = 0
    }

    /// The code with this selector, if its time is not over.
    package static func find(
        _ selector: String, at: Int64, on connection: any SQLConnection
    ) throws -> ActivationRow? {
        try connection.row(
            "SELECT * FROM activations WHERE selector = $1 AND expires_at > $2", [.text(selector), .integer(at)]
        ).map(ActivationRow.init)
    }

    /// Adds it in the place of the user's old one.
    ///
    /// - Returns: false where the selector is another user's.
    package func replace(on connection: any SQLConnection) throws -> Bool {
        try Self.delete(userName: userName, on: connection)
        return try connection.run(
            """
            INSERT INTO activations (selector, user_name, tag, wrong, created_at, expires_at)
            VALUES ($1, $2, $3, 0, $4, $5) ON CONFLICT (selector) DO NOTHING
            """,
            [.text(selector), .text(userName), .bytes(tag), .integer(createdAt), .integer(expiresAt)]) == 1
    }

    /// Counts a wrong secret.
    package func countWrong(on connection: any SQLConnection) throws {
        try connection.run("UPDATE activations SET wrong = wrong + 1 WHERE selector = $1", [.text(selector)])
    }

    /// Uses it up.
    ///
    /// - Returns: whether it was still there, the very same code.
    package func use(on connection: any SQLConnection) throws -> Bool {
        try connection.run(
            "DELETE FROM activations WHERE selector = $1 AND tag = $2", [.text(selector), .bytes(tag)]) == 1
    }

    /// Ends the code of a user.
    package static func delete(userName: String, on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM activations WHERE user_name = $1", [.text(userName)])
    }

    /// Ends those whose time is over.
    package static func deleteExpired(at: Int64, on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM activations WHERE expires_at <= $1", [.integer(at)])
    }

    /// Ends all of them.
    package static func deleteAll(on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM activations")
    }

    private init(_ row: SQLRow) throws {
        selector = try row.text("selector")
        userName = try row.text("user_name")
        tag = try row.bytes("tag")
        wrong = try row.count("wrong")
        createdAt = try row.integer("created_at")
        expiresAt = try row.integer("expires_at")
    }
}
