package import CountersignJOSE
package import Signing

/// `POST /v1/requests`: asks one person or several to sign.
package struct AskPersons: WireMessage {
    /// The one person; of this, `users` and `group` there is exactly one.
    package let user: String?
    /// Several persons.
    package let users: [String]?
    /// A group of persons.
    package let group: String?
    /// How many of several must sign; nil: all.
    package let required: Int?
    /// On whose behalf; that person is not asked.
    package let requester: String?
    /// What is to be signed.
    package let payload: String
    /// Why.
    package let reason: String
    /// The level; nil: 1.
    package let level: Int?
    /// The type of authenticator; nil: 0.
    package let authenticatorType: Int?
    /// How long it lives, in seconds; nil: 300.
    package let expiresIn: Int64?
    /// `required`, `offered` or `none`; nil: the setting.
    package let matchCode: String?

    /// A request.
    package init(
        user: String? = nil, users: [String]? = nil, group: String? = nil, required: Int? = nil,
        requester: String? = nil, payload: String, reason: String, level: Int? = nil, authenticatorType: Int? = nil,
        expiresIn: Int64? = nil, matchCode: String? = nil
    ) {
        self.user = user
        self.users = users
        self.group = group
        self.required = required
        self.requester = requester
        self.payload = payload
        self.reason = reason
        self.level = level
        self.authenticatorType = authenticatorType
        self.expiresIn = expiresIn
        self.matchCode = matchCode
    }

    /// Its members. Texts may be longer here than the rules allow, so that the rules say what is wrong.
    package static let shape = Shape(
        "AskPersons",
        [
            .optional("user", .line, "who is asked; the result is a statement"),
            .optional(
                "users", .list(.line, max: 64, otherwise: .requestTermsMalformed),
                "1 to 64 persons who are asked; the result is a bundle"),
            .optional("group", .line, "a group whose members are asked; the result is a bundle"),
            .optional("required", .anyInteger, "how many of several must sign, 1 to 16; else all"),
            .optional("requester", .line, "on whose behalf is asked; that person is not"),
            .required("payload", .text(max: 65_536), "what is to be signed: 1 to 500 characters"),
            .required("reason", .text(max: 65_536), "why: 1 to 100 characters"),
            .optional("authLevel", .anyInteger, "0, 1 or 4; else 1"),
            .optional("authenticatorType", .anyInteger, "0 with levels 0 and 1, 1 with level 4; else 0"),
            .optional("expires_in", .anyInteger, "10 to 86,400 seconds; else 300"),
            .optional(
                "match_code", .word(["required", "offered", "none"]),
                "whether whoever approves must bring the code, is shown it, or there is none; else as the service says"),
        ], alternatives: ["user", "users", "group"])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = members.optionalString("user")
        users = members.optionalStrings("users")
        group = members.optionalString("group")
        required = members.optionalInt("required")
        requester = members.optionalString("requester")
        payload = try members.string("payload")
        reason = try members.string("reason")
        level = members.optionalInt("authLevel")
        authenticatorType = members.optionalInt("authenticatorType")
        expiresIn = members.optionalInteger("expires_in")
        matchCode = members.optionalString("match_code")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        if let users { writer.member(name: "users", strings: users) }
        writer.member(name: "group", string: group)
        writer.member(name: "required", integer: required)
        writer.member(name: "requester", string: requester)
        writer.member(name: "payload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "authLevel", integer: level)
        writer.member(name: "authenticatorType", integer: authenticatorType)
        writer.member(name: "expires_in", integer: expiresIn)
        writer.member(name: "match_code", string: matchCode)
        writer.endObject()
    }
}

/// What the service answers at once: how to ask for the outcome (OpenID CIBA Core section 7.3).
package struct AskedMessage: WireMessage {
    /// The id of the request.
    package let id: String
    /// How long it lives, in seconds.
    package let expiresIn: Int64
    /// How many seconds to leave between two polls.
    package let interval: Int64
    /// What to show where this was asked; nil where there is none.
    package let matchCode: String?

    /// An answer.
    package init(id: String, expiresIn: Int64, interval: Int64, matchCode: String?) {
        self.id = id
        self.expiresIn = expiresIn
        self.interval = interval
        self.matchCode = matchCode
    }

    /// Its members.
    package static let shape = Shape(
        "Asked",
        [
            .required("id", .uuid, "of the request, for GET and DELETE /v1/requests/{id}"),
            .required("expires_in", .count, "how long it lives, in seconds"),
            .required("interval", .count, "seconds to leave between two polls"),
            .optional("match_code", .line, "two digits to show where this was asked"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        expiresIn = try members.integer("expires_in")
        interval = try members.integer("interval")
        matchCode = members.optionalString("match_code")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "expires_in", integer: expiresIn)
        writer.member(name: "interval", integer: interval)
        writer.member(name: "match_code", string: matchCode)
        writer.endObject()
    }
}
