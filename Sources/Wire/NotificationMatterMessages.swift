package import CountersignJOSE
internal import CountersignVerifier
package import Notifications
package import Signing

/// What a person is asked to sign for a relying service, in a notification: exactly what the statement will say.
package struct RequestMatterMessage: WireMessage {
    /// The id of the signing request, the claim `request`.
    package let id: String
    /// The relying service that asks, the claim `aud`.
    package let asker: String
    /// On whose behalf it says it asks.
    package let requester: String?
    /// What is to be signed.
    package let payload: String
    /// Why.
    package let reason: String
    /// The level.
    package let level: Int
    /// The type of authenticator.
    package let authenticatorType: Int
    /// How many must sign of how many that were asked, the claim `quorum`.
    package let quorum: String?

    /// What a request asks.
    package init(_ matter: RequestMatter) {
        id = matter.id.text
        asker = matter.asker
        requester = matter.requester?.text
        payload = matter.payload
        reason = matter.reason
        level = matter.level
        authenticatorType = matter.type
        quorum = matter.quorum?.description
    }

    /// Its members.
    package static let shape = Shape(
        "RequestMatter",
        [
            .required("id", .uuid, "the id of the signing request"),
            .required("asker", .line, "the relying service that asks, the statement's aud"),
            .optional("requester", .line, "on whose behalf it says it asks; that person is not asked"),
            .required("payload", .text(max: 4096), "what is to be signed"),
            .required("reason", .text(max: 1024), "why"),
            .required("authLevel", .number([0, 1, 4])),
            .required("authenticatorType", .number([0, 1])),
            .optional("quorum", .line, "N/M: how many must sign of how many that are asked"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        asker = try members.string("asker")
        requester = members.optionalString("requester")
        payload = try members.string("payload")
        reason = try members.string("reason")
        level = try members.int("authLevel")
        authenticatorType = try members.int("authenticatorType")
        quorum = members.optionalString("quorum")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "asker", string: asker)
        writer.member(name: "requester", string: requester)
        writer.member(name: "payload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "authLevel", integer: level)
        writer.member(name: "authenticatorType", integer: authenticatorType)
        writer.member(name: "quorum", string: quorum)
        writer.endObject()
    }
}

/// The device that wants to join, in a notification.
package struct ActivationMatterMessage: WireMessage {
    /// The id of the activation.
    package let id: String
    /// What the device calls itself.
    package let name: String
    /// Where it asks from.
    package let address: String?

    /// What an activation asks.
    package init(_ matter: ActivationMatter) {
        id = matter.id.text
        name = matter.deviceName
        address = matter.address
    }

    /// Its members.
    package static let shape = Shape(
        "ActivationMatter",
        [
            .required("id", .uuid, "the id of the activation"),
            .required("name", .line, "what the device calls itself"),
            .optional("address", .line, "where it asks from, as far as that is known"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        name = try members.string("name")
        address = members.optionalString("address")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "name", string: name)
        writer.member(name: "address", string: address)
        writer.endObject()
    }
}
