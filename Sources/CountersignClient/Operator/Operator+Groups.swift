package import Wire

/// A named group of persons. Times are milliseconds since 1970.
public struct GroupRecord: Sendable {
    /// The message it came in.
    package let message: GroupMessage

    /// One that came.
    package init(_ message: GroupMessage) { self.message = message }

    /// Its name.
    public var name: String { message.group }
    /// The users in it.
    public var members: [String] { message.members }
    /// When it was made.
    public var createdAt: Int64 { message.createdAt }
    /// When it was changed last.
    public var changedAt: Int64 { message.changedAt }
}

extension Operator {
    /// All groups of persons.
    public func groups() async throws(ServiceError) -> [GroupRecord] {
        let groups: [GroupMessage] = try await connection.list(.get("/v1/groups"), as: authorizer)
        return groups.map(GroupRecord.init)
    }

    /// Adds a group of 1 to 64 users.
    public func addGroup(_ name: String, members: [String]) async throws(ServiceError) -> GroupRecord {
        GroupRecord(
            try await connection.message(
                .post("/v1/groups", AddGroup(group: name, members: members)), as: authorizer))
    }

    /// Says who is in a group.
    public func setGroup(_ name: String, members: [String]) async throws(ServiceError) -> GroupRecord {
        GroupRecord(
            try await connection.message(
                .put("/v1/groups/\(Call.segment(name))", SetGroup(members: members)), as: authorizer))
    }

    /// Removes a group. What was asked of it goes on.
    public func deleteGroup(_ name: String) async throws(ServiceError) {
        try await connection.done(.delete("/v1/groups/\(Call.segment(name))"), as: authorizer)
    }
}
