package import CountersignJOSE
package import CountersignVerifier
package import Signing

/// A signing request as whoever asked sees it. Times are milliseconds since 1970.
package struct RequestMessage: ListedMessage {
    /// What became of it.
    package enum Status: String, Sendable, CaseIterable { case pending, done, declined, expired, cancelled }

    /// Its id.
    package let id: String
    /// What became of it.
    package let status: Status
    /// What is to be signed.
    package let payload: String
    /// Why.
    package let reason: String
    /// The level.
    package let level: Int
    /// The type of authenticator.
    package let authenticatorType: Int
    /// The group that was asked.
    package let group: String?
    /// On whose behalf.
    package let requester: String?
    /// How many must sign of how many that were asked; nil where one person was, and no list or group.
    package let quorum: String?
    /// Who was asked.
    package let users: [String]
    /// How many signed.
    package let signed: Int
    /// How many declined.
    package let declined: Int
    /// When it was made.
    package let createdAt: Int64
    /// When it ends.
    package let expiresAt: Int64
    /// When it ended.
    package let changedAt: Int64?
    /// The result of a request to one person, once it is done.
    package let result: SignedResult?
    /// The text of the bundle of a request to several, once it is done.
    package let bundle: String?

    /// The message with these members.
    package init(
        id: String, status: Status, payload: String, reason: String, level: Int, authenticatorType: Int,
        group: String? = nil, requester: String? = nil, quorum: String? = nil, users: [String], signed: Int,
        declined: Int, createdAt: Int64, expiresAt: Int64, changedAt: Int64? = nil, result: SignedResult? = nil,
        bundle: String? = nil
    ) {
        self.id = id
        self.status = status
        self.payload = payload
        self.reason = reason
        self.level = level
        self.authenticatorType = authenticatorType
        self.group = group
        self.requester = requester
        self.quorum = quorum
        self.users = users
        self.signed = signed
        self.declined = declined
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.changedAt = changedAt
        self.result = result
        self.bundle = bundle
    }

    /// `{"requests": [...]}`.
    package static var listName: StaticString { "requests" }

    /// Up to 64 users, and the rest.
    package static var valuesEach: Int { 120 }

    /// Its members.
    package static let shape = Shape(
        "Request",
        [
            .required("id", .uuid),
            .required("status", .word(Status.allCases.map(\.rawValue))),
            .required("payload", .text(max: 4096), "what is to be signed"),
            .required("reason", .text(max: 1024), "why"),
            .required("authLevel", .number([0, 1, 4])),
            .required("authenticatorType", .number([0, 1])),
            .optional("group", .line, "the group that was asked"),
            .optional("requester", .line, "on whose behalf was asked"),
            .optional("quorum", .line, "N/M: how many must sign of how many that were asked"),
            .required("users", .lines(max: 64), "who was asked"),
            .required("signed", .count, "how many signed"),
            .required("declined", .count, "how many declined"),
            .required("createdAt", .time),
            .required("expiresAt", .time, "at this time it is over"),
            .optional("changedAt", .time, "when it ended"),
            .optional("result", .message(SigningMessage.resultShape), "of one person, once it is done; not in lists"),
            .optional(
                "bundle", .text(max: UnverifiedBundle.maxBytes),
                "of several, once it is done: the text of a bundle; not in lists"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        guard let status = Status(rawValue: try members.string("status")) else {
            throw Refusal(.memberValue, .member("status"))
        }
        id = try members.string("id")
        self.status = status
        payload = try members.string("payload")
        reason = try members.string("reason")
        level = try members.int("authLevel")
        authenticatorType = try members.int("authenticatorType")
        group = members.optionalString("group")
        requester = members.optionalString("requester")
        quorum = members.optionalString("quorum")
        users = members.optionalStrings("users") ?? []
        signed = try members.int("signed")
        declined = try members.int("declined")
        createdAt = try members.integer("createdAt")
        expiresAt = try members.integer("expiresAt")
        changedAt = members.optionalInteger("changedAt")
        bundle = members.optionalString("bundle")
        result = try members.optionalObject("result").map { object throws(Refusal) in
            let text = JSON.object(object).canonical()
            do throws(InvalidReason) { return try SignedResult(text.span) } catch {
                throw Refusal(.memberValue, .member("result"))
            }
        }
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "status", string: status.rawValue)
        writer.member(name: "payload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "authLevel", integer: level)
        writer.member(name: "authenticatorType", integer: authenticatorType)
        writer.member(name: "group", string: group)
        writer.member(name: "requester", string: requester)
        writer.member(name: "quorum", string: quorum)
        writer.member(name: "users", strings: users)
        writer.member(name: "signed", integer: signed)
        writer.member(name: "declined", integer: declined)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "expiresAt", integer: expiresAt)
        writer.member(name: "changedAt", integer: changedAt)
        if let result {
            writer.name("result")
            result.write(to: &writer)
        }
        writer.member(name: "bundle", string: bundle)
        writer.endObject()
    }
}
