package import CountersignJOSE
package import Signing

/// What happened, once an event. Never a secret, never a payload.
package struct AuditMessage: ListedMessage {
    /// Its place, from 1 without gaps.
    package let seq: Int64?
    /// When, milliseconds since 1970.
    package let at: Int64
    /// What happened, in one word.
    package let event: String
    /// Who.
    package let user: String?
    /// The id of the ceremony.
    package let ceremony: String?
    /// The id of the statement.
    package let jti: String?
    /// SHA-256 of the payload, hexadecimal.
    package let digest: String?
    /// Of the payload, in characters.
    package let length: Int?
    /// The level.
    package let level: Int?
    /// The type.
    package let type: Int?
    /// The kind of evidence that was asked for.
    package let method: String?
    /// 0, or the number of the refusal.
    package let result: Int
    /// More, for a person.
    package let detail: String?

    /// The message with these members.
    package init(
        seq: Int64? = nil, at: Int64, event: String, user: String? = nil, ceremony: String? = nil, jti: String? = nil,
        digest: String? = nil, length: Int? = nil, level: Int? = nil, type: Int? = nil,
        method: String? =
            nil, result: Int, detail: String? = nil
    ) {
        self.seq = seq
        self.at = at
        self.event = event
        self.user = user
        self.ceremony = ceremony
        self.jti = jti
        self.digest = digest
        self.length = length
        self.level = level
        self.type = type
        self.method = method
        self.result = result
        self.detail = detail
    }

    /// `{"entries": [...]}`.
    package static var listName: StaticString { "entries" }

    /// Its members.
    package static let shape = Shape(
        "AuditEntry",
        [
            .optional("seq", .count),
            .required("at", .time),
            .required("event", .line),
            .optional("user", .line),
            .optional("ceremony", .line),
            .optional("jti", .line),
            .optional("digest", .line, "SHA-256 of the payload, hexadecimal"),
            .optional("length", .count, "of the payload, in characters"),
            .optional("level", .anyInteger),
            .optional("type", .anyInteger),
            .optional("method", .line),
            .required("result", .count, "0, or the number of the refusal"),
            .optional("detail", .text(max: 4096)),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        seq = members.optionalInteger("seq")
        at = try members.integer("at")
        event = try members.string("event")
        user = members.optionalString("user")
        ceremony = members.optionalString("ceremony")
        jti = members.optionalString("jti")
        digest = members.optionalString("digest")
        length = members.optionalInt("length")
        level = members.optionalInt("level")
        type = members.optionalInt("type")
        method = members.optionalString("method")
        result = try members.int("result")
        detail = members.optionalString("detail")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "seq", integer: seq)
        writer.member(name: "at", integer: at)
        writer.member(name: "event", string: event)
        writer.member(name: "user", string: user)
        writer.member(name: "ceremony", string: ceremony)
        writer.member(name: "jti", string: jti)
        writer.member(name: "digest", string: digest)
        writer.member(name: "length", integer: length)
        writer.member(name: "level", integer: level)
        writer.member(name: "type", integer: type)
        writer.member(name: "method", string: method)
        writer.member(name: "result", integer: result)
        writer.member(name: "detail", string: detail)
        writer.endObject()
    }
}
