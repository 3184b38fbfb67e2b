package import CountersignJOSE
package import Signing

/// A relying service.
package struct ClientMessage: ListedMessage {
    /// Its name, which is the `aud` of what it asks for.
    package let client: String
    /// Whether the operator locked it.
    package let isLocked: Bool
    /// How it authenticates.
    package let credential: String
    /// The thumbprint of its key (RFC 7638).
    package let thumbprint: String?
    /// When it was added, milliseconds since 1970.
    package let createdAt: Int64
    /// Its secret: only in the answer to the request that made it.
    package let secret: String?

    /// The message with these members.
    package init(
        client: String, isLocked: Bool, credential: String, thumbprint: String? = nil, createdAt: Int64,
        secret:
            String? = nil
    ) {
        self.client = client
        self.isLocked = isLocked
        self.credential = credential
        self.thumbprint = thumbprint
        self.createdAt = createdAt
        self.secret = secret
    }

    /// `{"clients": [...]}`.
    package static var listName: StaticString { "clients" }

    /// Its members.
    package static let shape = Shape(
        "Client",
        [
            .required("client", .line),
            .required("locked", .flag, "by the operator"),
            .required("credential", .word(["secret", "key"])),
            .optional("thumbprint", .line, "of its key (RFC 7638)"),
            .required("createdAt", .time),
            .optional("secret", .line, "only in the answer to the request that made it"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        client = try members.string("client")
        isLocked = try members.flag("locked")
        credential = try members.string("credential")
        thumbprint = members.optionalString("thumbprint")
        createdAt = try members.integer("createdAt")
        secret = members.optionalString("secret")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "client", string: client)
        writer.member(name: "locked", flag: isLocked)
        writer.member(name: "credential", string: credential)
        writer.member(name: "thumbprint", string: thumbprint)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "secret", string: secret)
        writer.endObject()
    }
}
