/// A named group of persons, out of whom several may be asked.
package struct GroupRow: Sendable, Hashable {
    package let name: String
    /// The members, by name.
    package let members: [String]
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let changedAt: Int64

    package init(name: String, members: [String], createdAt: Int64, changedAt: Int64) {
        self.name = name
        self.members = members
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    /// The group, or nil.
    package static func find(_ name: String, on connection: any SQLConnection) throws -> GroupRow? {
        try connection.row("SELECT * FROM person_groups WHERE name = $1", [.text(name)])
            .map { try GroupRow($0, connection) }
    }

    /// All of them, by name.
    package static func list(on connection: any SQLConnection) throws -> [GroupRow] {
        try connection.rows("SELECT * FROM person_groups ORDER BY name").map { try GroupRow($0, connection) }
    }

    /// Adds it with its members.
    ///
    /// - Throws: `StorageError.Code.constraint` where the name is taken, a member comes twice, or there is no such user.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            "INSERT INTO person_groups (name, created_at, changed_at) VALUES ($1, $2, $3)",
            [.text(name), .integer(createdAt), .integer(changedAt)])
        try insertMembers(on: connection)
    }

    /// Writes who its members are.
    package func update(on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM group_members WHERE group_name = $1", [.text(name)])
        try connection.run(
            "UPDATE person_groups SET changed_at = $1 WHERE name = $2", [.integer(changedAt), .text(name)])
        try insertMembers(on: connection)
    }

    /// Removes it. What was asked of it goes on.
    package func delete(on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM group_members WHERE group_name = $1", [.text(name)])
        try connection.run("DELETE FROM person_groups WHERE name = $1", [.text(name)])
    }

    private func insertMembers(on connection: any SQLConnection) throws {
        for member in members {
            try connection.run(
                "INSERT INTO group_members (group_name, user_name) VALUES ($1, $2)", [.text(name), .text(member)])
        }
    }

    private init(_ row: SQLRow, _ connection: any SQLConnection) throws {
        name = try row.text("name")
        createdAt = try row.integer("created_at")
        changedAt = try row.integer("changed_at")
        members = try connection.rows(
            "SELECT user_name FROM group_members WHERE group_name = $1 ORDER BY user_name", [.text(name)]
        ).map { try $0.text("user_name") }
    }
}
