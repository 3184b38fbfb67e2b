package import CountersignVerifier
package import Notifications
internal import Signing
internal import Storage

extension SigningEngine {
    /// All groups, by name.
    package func groups() async throws -> [PersonGroup] {
        try await database.read { try GroupRow.list(on: $0).map { try PersonGroup($0) } }
    }

    /// Adds a group of 1 to 64 users.
    ///
    /// - Throws: `groupExists`, `groupMalformed`, `userUnknown`.
    package func addGroup(
        _ name: GroupName, members: [UserName], once: Once<PersonGroup>? = nil
    ) async throws -> PersonGroup {
        try await write(once) { transaction in
            guard try GroupRow.find(name.text, on: transaction.connection) == nil else { throw Refusal(.groupExists) }
            try transaction.checkMembers(members)
            let row = GroupRow(
                name: name.text, members: members.sorted().map(\.text), createdAt: transaction.now,
                changedAt: transaction.now)
            try row.insert(on: transaction.connection)
            try transaction.record(.groupChanged, detail: "\(name.text): \(row.members.joined(separator: " "))")
            return try PersonGroup(row)
        }
    }

    /// Says who is in a group. What was asked of it before goes on with those who were asked.
    ///
    /// - Throws: `groupUnknown`, `groupMalformed`, `userUnknown`.
    package func setGroup(_ name: GroupName, members: [UserName]) async throws -> PersonGroup {
        try await write { transaction in
            guard let old = try GroupRow.find(name.text, on: transaction.connection) else {
                throw Refusal(.groupUnknown)
            }
            try transaction.checkMembers(members)
            let row = GroupRow(
                name: name.text, members: members.sorted().map(\.text), createdAt: old.createdAt,
                changedAt: transaction.now)
            try row.update(on: transaction.connection)
            try transaction.record(.groupChanged, detail: "\(name.text): \(row.members.joined(separator: " "))")
            return try PersonGroup(row)
        }
    }

    /// Removes a group.
    ///
    /// - Throws: `groupUnknown`.
    package func deleteGroup(_ name: GroupName) async throws {
        try await write { transaction in
            guard let row = try GroupRow.find(name.text, on: transaction.connection) else {
                throw Refusal(.groupUnknown)
            }
            try row.delete(on: transaction.connection)
            try transaction.record(.groupDeleted, detail: name.text)
        }
    }
}

extension Transaction {
    fileprivate func checkMembers(_ members: [UserName]) throws {
        guard (1...RequestAudience.maxPersons).contains(members.count), Set(members).count == members.count else {
            throw Refusal(.groupMalformed)
        }
        for member in members where try UserRow.find(member.text, on: connection) == nil {
            throw Refusal(.userUnknown)
        }
    }
}

extension PersonGroup {
    init(_ row: GroupRow) throws {
        guard let name = GroupName(row.name) else { throw StorageError(.corrupt, "a group has a name that is none") }
        self.init(name: name, members: row.members, createdAt: row.createdAt, changedAt: row.changedAt)
    }
}
