package import CountersignJOSE
package import Signing

/// A named group of persons. Times are milliseconds since 1970.
package struct GroupMessage: ListedMessage {
    /// Its name.
    package let group: String
    /// The users in it, by name.
    package let members: [String]
    /// When it was made.
    package let createdAt: Int64
    /// When it was changed last.
    package let changedAt: Int64

    /// A group.
    package init(group: String, members: [String], createdAt: Int64, changedAt: Int64) {
        self.group = group
        self.members = members
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    /// `{"groups": [...]}`.
    package static var listName: StaticString { "groups" }

    /// Up to 64 members, and the rest.
    package static var valuesEach: Int { 100 }

    /// Its members.
    package static let shape = Shape(
        "Group",
        [
            .required("group", .line, "its name"),
            .required("members", .lines(max: 64), "the users in it"),
            .required("createdAt", .time),
            .required("changedAt", .time, "when it was changed last"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        group = try members.string("group")
        self.members = members.optionalStrings("members") ?? []
        createdAt = try members.integer("createdAt")
        changedAt = try members.integer("changedAt")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "group", string: group)
        writer.member(name: "members", strings: members)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "changedAt", integer: changedAt)
        writer.endObject()
    }
}

/// `POST /v1/groups`: adds a group.
package struct AddGroup: WireMessage {
    /// Its name.
    package let group: String
    /// The users in it.
    package let members: [String]

    /// A group.
    package init(group: String, members: [String]) {
        self.group = group
        self.members = members
    }

    /// Its members.
    package static let shape = Shape(
        "AddGroup",
        [
            .required("group", .line, "1 to 64 of a-z 0-9 . _ -, the first a letter or digit"),
            .required("members", .list(.line, max: 64, otherwise: .groupMalformed), "1 to 64 users"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        group = try members.string("group")
        self.members = members.optionalStrings("members") ?? []
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "group", string: group)
        writer.member(name: "members", strings: members)
        writer.endObject()
    }
}

/// `PUT /v1/groups/{name}`: says who is in a group.
package struct SetGroup: WireMessage {
    /// The users in it.
    package let members: [String]

    /// The members of a group.
    package init(members: [String]) { self.members = members }

    /// Its members.
    package static let shape = Shape(
        "SetGroup", [.required("members", .list(.line, max: 64, otherwise: .groupMalformed), "1 to 64 users")])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) { self.members = members.optionalStrings("members") ?? [] }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "members", strings: members)
        writer.endObject()
    }
}
