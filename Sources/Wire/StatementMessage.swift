package import CountersignJOSE
package import Signing

/// A statement on record.
package struct StatementMessage: ListedMessage {
    /// Its `jti`.
    package let signatureID: String
    /// Who signed.
    package let user: String
    /// When, milliseconds since 1970.
    package let signedAt: Int64
    /// What was signed.
    package let payload: String
    /// Why.
    package let reason: String
    /// The level.
    package let level: Int
    /// The type.
    package let authenticatorType: Int
    /// The relying service that asked.
    package let audience: String?
    /// The key that signed.
    package let kid: String
    /// The id of the ceremony.
    package let ceremony: String
    /// The statement, a compact JWS.
    package let statement: String
    /// What the caller calls it, in a batch.
    package let reference: String?

    /// The message with these members.
    package init(
        signatureID: String, user: String, signedAt: Int64, payload: String, reason: String, level: Int,
        authenticatorType: Int, audience: String? = nil, kid: String, ceremony: String, statement: String,
        reference: String? = nil
    ) {
        self.signatureID = signatureID
        self.user = user
        self.signedAt = signedAt
        self.payload = payload
        self.reason = reason
        self.level = level
        self.authenticatorType = authenticatorType
        self.audience = audience
        self.kid = kid
        self.ceremony = ceremony
        self.statement = statement
        self.reference = reference
    }

    /// `{"statements": [...]}`.
    package static var listName: StaticString { "statements" }

    /// Its members.
    package static let shape = Shape(
        "Statement",
        [
            .required("dataSignatureID", .uuid, "its jti"),
            .required("user", .line),
            .required("signedAt", .time),
            .required("dataPayload", .text(max: 4096)),
            .required("reason", .text(max: 1024)),
            .required("authLevel", .number([0, 1, 4])),
            .required("authenticatorType", .number([0, 1])),
            .optional("audience", .line, "the relying service that asked"),
            .required("kid", .line),
            .required("ceremony", .uuid),
            .required("payloadSignature", .text(max: 16_384), "a compact JWS"),
            .optional("reference", .line, "what the caller calls it, in a batch"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        signatureID = try members.string("dataSignatureID")
        user = try members.string("user")
        signedAt = try members.integer("signedAt")
        payload = try members.string("dataPayload")
        reason = try members.string("reason")
        level = try members.int("authLevel")
        authenticatorType = try members.int("authenticatorType")
        audience = members.optionalString("audience")
        kid = try members.string("kid")
        ceremony = try members.string("ceremony")
        statement = try members.string("payloadSignature")
        reference = members.optionalString("reference")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "dataSignatureID", string: signatureID)
        writer.member(name: "user", string: user)
        writer.member(name: "signedAt", integer: signedAt)
        writer.member(name: "dataPayload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "authLevel", integer: level)
        writer.member(name: "authenticatorType", integer: authenticatorType)
        writer.member(name: "audience", string: audience)
        writer.member(name: "kid", string: kid)
        writer.member(name: "ceremony", string: ceremony)
        writer.member(name: "payloadSignature", string: statement)
        writer.member(name: "reference", string: reference)
        writer.endObject()
    }
}
