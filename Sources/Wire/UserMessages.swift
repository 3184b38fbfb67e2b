package import CountersignJOSE
package import Signing

/// A user as the operator sees them.
package struct UserMessage: ListedMessage {
    /// The name.
    package let user: String
    /// Whether the operator locked them.
    package let isLocked: Bool
    /// Whether so many answers were wrong that the operator must unlock.
    package let needsUnlock: Bool
    /// Until when their step-up is blocked, milliseconds since 1970, like all times here.
    package let blockedUntil: Int64?
    /// Wrong answers since the last right one.
    package let wrongAnswers: Int
    /// When they were added.
    package let createdAt: Int64
    /// When the password was set; nil: there is none.
    package let passwordSetAt: Int64?
    /// Since when none of their devices is asked about new ones; nil: they are.
    package let activationsBlockedAt: Int64?

    /// The message with these members.
    package init(
        user: String, isLocked: Bool, needsUnlock: Bool, blockedUntil: Int64? = nil, wrongAnswers: Int,
        createdAt: Int64, passwordSetAt: Int64? = nil, activationsBlockedAt: Int64? = nil
    ) {
        self.user = user
        self.isLocked = isLocked
        self.needsUnlock = needsUnlock
        self.blockedUntil = blockedUntil
        self.wrongAnswers = wrongAnswers
        self.createdAt = createdAt
        self.passwordSetAt = passwordSetAt
        self.activationsBlockedAt = activationsBlockedAt
    }

    /// `{"users": [...]}`.
    package static var listName: StaticString { "users" }

    /// Its members.
    package static let shape = Shape(
        "User",
        [
            .required("user", .line),
            .required("locked", .flag, "by the operator"),
            .required("needsUnlock", .flag, "after too many wrong answers"),
            .optional("blockedUntil", .time),
            .required("wrongAnswers", .count, "since the last right one"),
            .required("createdAt", .time),
            .optional("passwordSetAt", .time, "absent: no password"),
            .optional("activationsBlockedAt", .time, "since when no new device is let in by another"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = try members.string("user")
        isLocked = try members.flag("locked")
        needsUnlock = try members.flag("needsUnlock")
        blockedUntil = members.optionalInteger("blockedUntil")
        wrongAnswers = try members.int("wrongAnswers")
        createdAt = try members.integer("createdAt")
        passwordSetAt = members.optionalInteger("passwordSetAt")
        activationsBlockedAt = members.optionalInteger("activationsBlockedAt")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.member(name: "locked", flag: isLocked)
        writer.member(name: "needsUnlock", flag: needsUnlock)
        writer.member(name: "blockedUntil", integer: blockedUntil)
        writer.member(name: "wrongAnswers", integer: wrongAnswers)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "passwordSetAt", integer: passwordSetAt)
        writer.member(name: "activationsBlockedAt", integer: activationsBlockedAt)
        writer.endObject()
    }
}

/// `POST /v1/users`: a user without a password, who sets one when they enrol their first device.
package struct AddUser: WireMessage {
    /// The name.
    package let user: String

    /// The message with this member.
    package init(user: String) {
        self.user = user
    }

    /// Its members.
    package static let shape = Shape(
        "AddUser",
        [
            .required("user", .line, "1 to 64 of a-z 0-9 . _ @ -, the first a letter or digit")
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = try members.string("user")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.endObject()
    }
}

/// A code with which a user enrols a device. It is shown once.
package struct ActivationCodeMessage: WireMessage {
    /// Whose it is.
    package let user: String
    /// The code, with hyphens.
    package let code: String
    /// When it ends, milliseconds since 1970.
    package let expiresAt: Int64

    /// The message with these members.
    package init(user: String, code: String, expiresAt: Int64) {
        self.user = user
        self.code = code
        self.expiresAt = expiresAt
    }

    /// Its members.
    package static let shape = Shape(
        "ActivationCode",
        [
            .required("user", .line),
            .required("code", .line),
            .required("expiresAt", .time),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = try members.string("user")
        code = try members.string("code")
        expiresAt = try members.integer("expiresAt")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.member(name: "code", string: code)
        writer.member(name: "expiresAt", integer: expiresAt)
        writer.endObject()
    }
}
