/// A user of the store. A name is never deleted and never used again, so there is no query that does.
package struct UserRow: Sendable, Hashable {
    package let name: String
    /// The PHC string of the password's hash; nil where none is set.
    package let password: String?
    package let isLocked: Bool
    /// Milliseconds since 1970, like all times here.
    package let createdAt: Int64
    package let passwordSetAt: Int64?
    /// Grows with each change.
    package let version: Int64

    /// The user, or nil where the name was never given.
    package static func find(_ name: String, on connection: any SQLConnection) throws -> UserRow? {
        try connection.row("SELECT * FROM users WHERE name = $1", [.text(name)]).map(UserRow.init)
    }

    /// Whether there is such a user, who is not locked.
    package static func isActive(_ name: String, on connection: any SQLConnection) throws -> Bool {
        try connection.steadyRows("SELECT locked FROM users WHERE name = $1", [.text(name)]).first
            .map { try !$0.flag("locked") } ?? false
    }

    /// All users, by name.
    package static func list(on connection: any SQLConnection) throws -> [UserRow] {
        try connection.rows("SELECT * FROM users ORDER BY name").map(UserRow.init)
    }

    /// Adds a user.
    ///
    /// - Throws: `StorageError.Code.constraint` where the name is taken.
    package static func insert(
        name: String, password: String?, at: Int64, on connection: any SQLConnection
    ) throws {
        try connection.run(
            """
            INSERT INTO users (name, password, locked, created_at, password_set_at, version)
            VALUES ($1, $2, 0, $3, $4, 1)
            """,
            [.text(name), SQLValue(password), .integer(at), SQLValue(password == nil ? nil : at)])
    }

    /// Sets the password of the user as it was read.
    ///
    /// - Throws: `StorageError.Code.conflict` where the user was changed since.
    package func setPassword(_ phc: String, at: Int64, on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE users SET password = $1, password_set_at = $2, version = version + 1
            WHERE name = $3 AND version = $4
            """,
            [.text(phc), .integer(at), .text(name), .integer(version)], "user \(name)")
    }

    /// Clears the password of the user as it was read.
    ///
    /// - Throws: `StorageError.Code.conflict` where the user was changed since.
    package func clearPassword(on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE users SET password = NULL, password_set_at = NULL, version = version + 1
            WHERE name = $1 AND version = $2
            """,
            [.text(name), .integer(version)], "user \(name)")
    }

    /// Puts another hash of the same password in its place, if the password is still the one that was read. For everybody else
    /// nothing has changed, so the version does not grow.
    package func rehash(_ phc: String, on connection: any SQLConnection) throws {
        try connection.run(
            "UPDATE users SET password = $1 WHERE name = $2 AND password = $3",
            [.text(phc), .text(name), SQLValue(password)])
    }

    /// The hash of some user who has one: of the first whose name is not before `start`, else of the first of all; nil where nobody
    /// has one. One look into an index, however many users there are.
    package static func someHash(from start: String, on connection: any SQLConnection) throws -> String? {
        let sql = "SELECT password FROM users WHERE password IS NOT NULL AND name >= $1 ORDER BY name LIMIT 1"
        for name in [start, ""] {
            if let row = try connection.row(sql, [.text(name)]) { return try row.text("password") }
        }
        return nil
    }

    /// Locks or unlocks the user as it was read.
    ///
    /// - Throws: `StorageError.Code.conflict` where the user was changed since.
    package func setLocked(_ locked: Bool, on connection: any SQLConnection) throws {
        try connection.runOnce(
            "UPDATE users SET locked = $1, version = version + 1 WHERE name = $2 AND version = $3",
            [SQLValue(locked), .text(name), .integer(version)], "user \(name)")
    }

    private init(_ row: SQLRow) throws {
        name = try row.text("name")
        password = try row.optionalText("password")
        isLocked = try row.flag("locked")
        createdAt = try row.integer("created_at")
        passwordSetAt = try row.optionalInteger("password_set_at")
        version = try row.integer("version")
    }
}
