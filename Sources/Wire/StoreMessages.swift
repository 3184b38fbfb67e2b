package import CountersignJOSE
package import Signing

/// A setting of the store.
package struct SettingMessage: ListedMessage {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: String
    /// What it is, and which values it takes.
    package let help: String

    /// The message with these members.
    package init(name: String, value: String, help: String) {
        self.name = name
        self.value = value
        self.help = help
    }

    /// `{"settings": [...]}`.
    package static var listName: StaticString { "settings" }

    /// Its members.
    package static let shape = Shape(
        "Setting",
        [
            .required("name", .line),
            .required("value", .line),
            .required("help", .text(max: 2048)),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        name = try members.string("name")
        value = try members.string("value")
        help = try members.string("help")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "name", string: name)
        writer.member(name: "value", string: value)
        writer.member(name: "help", string: help)
        writer.endObject()
    }
}

/// `PUT /v1/settings/{name}`.
package struct ChangeSetting: WireMessage {
    /// The new value.
    package let value: String

    /// The message with this member.
    package init(value: String) {
        self.value = value
    }

    /// Its members.
    package static let shape = Shape(
        "ChangeSetting",
        [
            .required("value", .line)
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        value = try members.string("value")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "value", string: value)
        writer.endObject()
    }
}

/// The store at a glance.
package struct StatusMessage: WireMessage {
    /// The id of the store.
    package let id: String
    /// The `iss` of its statements.
    package let issuer: String
    /// The thumbprint of the key that signs.
    package let signingKey: String?
    /// The thumbprint of the root key.
    package let rootKey: String?
    /// Whether the root key's private half is in the store.
    package let holdsRootKey: Bool
    /// How many users there are.
    package let users: Int
    /// How many statements were signed.
    package let statements: Int
    /// How many signings wait for their answer.
    package let openCeremonies: Int
    /// How many rows the audit has.
    package let auditRows: Int
    /// When it was made, milliseconds since 1970.
    package let createdAt: Int64
    /// The newest recorded time, milliseconds since 1970.
    package let newestTime: Int64?

    /// The message with these members.
    package init(
        id: String, issuer: String, signingKey: String? = nil, rootKey: String? = nil, holdsRootKey: Bool,
        users: Int, statements: Int, openCeremonies: Int, auditRows: Int, createdAt: Int64,
        newestTime: Int64? =
            nil
    ) {
        self.id = id
        self.issuer = issuer
        self.signingKey = signingKey
        self.rootKey = rootKey
        self.holdsRootKey = holdsRootKey
        self.users = users
        self.statements = statements
        self.openCeremonies = openCeremonies
        self.auditRows = auditRows
        self.createdAt = createdAt
        self.newestTime = newestTime
    }

    /// Its members.
    package static let shape = Shape(
        "Status",
        [
            .required("id", .line),
            .required("issuer", .line),
            .optional("signingKey", .line, "absent: nobody can sign"),
            .optional("rootKey", .line),
            .required("holdsRootKey", .flag),
            .required("users", .count),
            .required("statements", .count),
            .required("openCeremonies", .count),
            .required("auditRows", .count),
            .required("createdAt", .time),
            .optional("newestTime", .time),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        issuer = try members.string("issuer")
        signingKey = members.optionalString("signingKey")
        rootKey = members.optionalString("rootKey")
        holdsRootKey = try members.flag("holdsRootKey")
        users = try members.int("users")
        statements = try members.int("statements")
        openCeremonies = try members.int("openCeremonies")
        auditRows = try members.int("auditRows")
        createdAt = try members.integer("createdAt")
        newestTime = members.optionalInteger("newestTime")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "issuer", string: issuer)
        writer.member(name: "signingKey", string: signingKey)
        writer.member(name: "rootKey", string: rootKey)
        writer.member(name: "holdsRootKey", flag: holdsRootKey)
        writer.member(name: "users", integer: users)
        writer.member(name: "statements", integer: statements)
        writer.member(name: "openCeremonies", integer: openCeremonies)
        writer.member(name: "auditRows", integer: auditRows)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "newestTime", integer: newestTime)
        writer.endObject()
    }
}
