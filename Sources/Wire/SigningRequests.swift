package import CountersignJOSE
package import CountersignKeys
package import Signing

/// `POST /v1/signings`: `authenticateUserAndSignData`.
package struct StartSigning: WireMessage {
    /// Who signs: for relying services, which have no user of their own.
    package let user: String?
    /// What is signed.
    package let payload: String
    /// Why it is signed.
    package let reason: String
    /// The level that is asked for.
    package let level: Int
    /// The type that is asked for.
    package let authenticatorType: Int

    /// A request.
    package init(user: String? = nil, payload: String, reason: String, level: Int, authenticatorType: Int) {
        self.user = user
        self.payload = payload
        self.reason = reason
        self.level = level
        self.authenticatorType = authenticatorType
    }

    /// Its members. Texts may be longer here than the rules allow, so that the rules say what is wrong.
    package static let shape = Shape(
        "StartSigning",
        [
            .optional("user", .line, "who signs; for relying services only"),
            .required("payload", .text(max: 65_536), "what is signed: 1 to 500 characters"),
            .required("reason", .text(max: 65_536), "why it is signed: 1 to 100 characters"),
            .required("authLevel", .anyInteger, "0, 1 or 4"),
            .required("authenticatorType", .anyInteger, "0 with levels 0 and 1, 1 with level 4"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = members.optionalString("user")
        payload = try members.string("payload")
        reason = try members.string("reason")
        level = try members.int("authLevel")
        authenticatorType = try members.int("authenticatorType")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.member(name: "payload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "authLevel", integer: level)
        writer.member(name: "authenticatorType", integer: authenticatorType)
        writer.endObject()
    }
}

/// `POST /v1/signings/{id}/answers`: the answer to a challenge.
package struct AnswerChallenge: WireMessage {
    /// `challengeMode`; always 12 (rule S12).
    package let mode: Int
    /// The generation of the challenge that is answered; nil: the open one.
    package let generation: Int?
    /// The password.
    package let password: SecretBytes

    /// An answer.
    package init(generation: Int?, password: SecretBytes) {
        mode = Challenge.mode
        self.generation = generation
        self.password = password
    }

    /// Its members.
    package static let shape = Shape(
        "AnswerChallenge",
        [
            .required("challengeMode", .number([Int64(Challenge.mode)]), "that of the challenge"),
            .optional("generation", .count, "that of the challenge; without it, the open one is answered"),
            .required("password", .secret),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        mode = try members.int("challengeMode")
        generation = members.optionalInt("generation")
        password = try members.secret("password")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "challengeMode", integer: mode)
        writer.member(name: "generation", integer: generation)
        writer.member(name: "password", secret: password)
        writer.endObject()
    }
}
