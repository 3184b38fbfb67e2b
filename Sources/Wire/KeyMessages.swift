package import CountersignJOSE
internal import CountersignKeys
package import Signing

/// A signing key, without its private half.
package struct KeyMessage: ListedMessage {
    /// Its thumbprint (RFC 7638).
    package let kid: String
    /// Its algorithm.
    package let algorithm: String
    /// Whether it signs key histories only.
    package let isRoot: Bool
    /// Where it is in its life.
    package let state: String
    /// Whether the service holds its private half.
    package let hasPrivateHalf: Bool
    /// When it was made, milliseconds since 1970, like all times here.
    package let publishedAt: Int64
    /// When it began to sign.
    package let activatedAt: Int64?
    /// When it ended to sign.
    package let retiredAt: Int64?
    /// When it was revoked.
    package let revokedAt: Int64?
    /// Why it was revoked.
    package let revocation: String?

    /// The message with these members.
    package init(
        kid: String, algorithm: String, isRoot: Bool, state: String, hasPrivateHalf: Bool, publishedAt: Int64,
        activatedAt: Int64? = nil, retiredAt: Int64? = nil, revokedAt: Int64? = nil, revocation: String? = nil
    ) {
        self.kid = kid
        self.algorithm = algorithm
        self.isRoot = isRoot
        self.state = state
        self.hasPrivateHalf = hasPrivateHalf
        self.publishedAt = publishedAt
        self.activatedAt = activatedAt
        self.retiredAt = retiredAt
        self.revokedAt = revokedAt
        self.revocation = revocation
    }

    /// `{"keys": [...]}`.
    package static var listName: StaticString { "keys" }

    /// Its members.
    package static let shape = Shape(
        "Key",
        [
            .required("kid", .line, "its thumbprint (RFC 7638)"),
            .required("alg", .word(KeyAlgorithm.allCases.map(\.rawValue))),
            .required("root", .flag, "whether it signs key histories only"),
            .required("state", .word(["published", "active", "retired", "revoked"])),
            .required("hasPrivateHalf", .flag, "whether the service holds it"),
            .required("publishedAt", .time),
            .optional("activatedAt", .time),
            .optional("retiredAt", .time),
            .optional("revokedAt", .time),
            .optional("revocation", .word(["superseded", "compromised"])),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        kid = try members.string("kid")
        algorithm = try members.string("alg")
        isRoot = try members.flag("root")
        state = try members.string("state")
        hasPrivateHalf = try members.flag("hasPrivateHalf")
        publishedAt = try members.integer("publishedAt")
        activatedAt = members.optionalInteger("activatedAt")
        retiredAt = members.optionalInteger("retiredAt")
        revokedAt = members.optionalInteger("revokedAt")
        revocation = members.optionalString("revocation")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "kid", string: kid)
        writer.member(name: "alg", string: algorithm)
        writer.member(name: "root", flag: isRoot)
        writer.member(name: "state", string: state)
        writer.member(name: "hasPrivateHalf", flag: hasPrivateHalf)
        writer.member(name: "publishedAt", integer: publishedAt)
        writer.member(name: "activatedAt", integer: activatedAt)
        writer.member(name: "retiredAt", integer: retiredAt)
        writer.member(name: "revokedAt", integer: revokedAt)
        writer.member(name: "revocation", string: revocation)
        writer.endObject()
    }
}

/// `POST /v1/keys`: a key that does not sign yet.
package struct CreateKey: WireMessage {
    /// Its algorithm; nil: ES256.
    package let algorithm: String?

    /// The message with this member.
    package init(algorithm: String? = nil) {
        self.algorithm = algorithm
    }

    /// Its members.
    package static let shape = Shape(
        "CreateKey",
        [
            .optional("algorithm", .word(KeyAlgorithm.allCases.map(\.rawValue)), "else ES256")
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        algorithm = members.optionalString("algorithm")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "algorithm", string: algorithm)
        writer.endObject()
    }
}

/// `POST /v1/keys/rotate`: another key signs from now on.
package struct RotateKeys: WireMessage {
    /// A published key; nil: a new one.
    package let to: String?
    /// The algorithm of a new one; nil: ES256.
    package let algorithm: String?

    /// The message with these members.
    package init(to: String? = nil, algorithm: String? = nil) {
        self.to = to
        self.algorithm = algorithm
    }

    /// Its members.
    package static let shape = Shape(
        "RotateKeys",
        [
            .optional("to", .line, "the kid of a published key; else a new one is made"),
            .optional("algorithm", .word(KeyAlgorithm.allCases.map(\.rawValue)), "of a new key; else ES256"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        to = members.optionalString("to")
        algorithm = members.optionalString("algorithm")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "to", string: to)
        writer.member(name: "algorithm", string: algorithm)
        writer.endObject()
    }
}

/// `POST /v1/keys/{kid}/revoke`.
package struct RevokeKey: WireMessage {
    /// Why.
    package let reason: String

    /// The message with this member.
    package init(reason: String) {
        self.reason = reason
    }

    /// Its members.
    package static let shape = Shape(
        "RevokeKey",
        [
            .required("reason", .word(["superseded", "compromised"]), "superseded: what it signed before holds")
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        reason = try members.string("reason")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "reason", string: reason)
        writer.endObject()
    }
}
