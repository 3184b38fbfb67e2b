package import CountersignJOSE
package import CountersignVerifier
package import Signing

/// A signing as it stands.
package struct SigningMessage: WireMessage {
    /// Where it is.
    package enum State: String, Sendable, CaseIterable { case challenged, signed, failed, cancelled, expired }

    /// The id of the ceremony.
    package let id: UUIDText
    /// Where it is.
    package let state: State
    /// Who signs.
    package let user: String
    /// 100, or 102 after a wrong answer, or 153 where it ended without a signature (rules S30, S31, C09).
    package let statusCode: Int
    /// 12 while it is challenged (rule S12).
    package let challengeMode: Int?
    /// Which challenge is open: an answer may name it.
    package let generation: Int?
    /// What to answer with.
    package let method: String?
    /// How many answers may still be wrong.
    package let attemptsLeft: Int?
    /// What is signed; of a batch, the line that stands for it.
    package let payload: String
    /// Why it is signed.
    package let reason: String
    /// The level.
    package let level: Int
    /// The type.
    package let authenticatorType: Int
    /// When it started, milliseconds since 1970.
    package let issuedAt: Int64
    /// When its challenge ends, milliseconds since 1970.
    package let expiresAt: Int64?
    /// The result, where it is signed.
    package let result: SignedResult?
    /// What is signed at once, where it is several.
    package let batch: BatchMessage?

    /// A signing.
    package init(
        id: UUIDText, state: State, user: String, statusCode: Int, challengeMode: Int? = nil, generation: Int? = nil,
        method: String? = nil, attemptsLeft: Int? = nil, payload: String, reason: String, level: Int,
        authenticatorType: Int, issuedAt: Int64, expiresAt: Int64? = nil, result: SignedResult? = nil,
        batch: BatchMessage? = nil
    ) {
        self.id = id
        self.state = state
        self.user = user
        self.statusCode = statusCode
        self.challengeMode = challengeMode
        self.generation = generation
        self.method = method
        self.attemptsLeft = attemptsLeft
        self.payload = payload
        self.reason = reason
        self.level = level
        self.authenticatorType = authenticatorType
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.result = result
        self.batch = batch
    }

    /// The signing that waits for the answer to this challenge.
    package init(_ challenge: Challenge) {
        let run = challenge.run
        self.init(
            id: run.id, state: .challenged, user: run.request.user.text, statusCode: challenge.status.rawValue,
            challengeMode: Challenge.mode, generation: run.generation, method: challenge.method.rawValue,
            attemptsLeft: challenge.attemptsLeft, payload: run.request.payload.text, reason: run.request.reason.text,
            level: run.request.level.rawValue, authenticatorType: run.request.type.rawValue, issuedAt: run.issuedAt,
            expiresAt: run.expiresAt,
            batch: run.request.batch.map { batch in
                BatchMessage(
                    digest: batch.digest,
                    items: batch.items.map { BatchItemMessage(reference: $0.reference, payload: $0.payload.text) })
            })
    }

    /// Those of the results of a batch.
    package static var maxValues: Int { 16 * Batch.maxPayloads }

    /// Its members.
    package static let shape = Shape(
        "Signing",
        [
            .required("id", .uuid, "the id of the ceremony"),
            .required("status", .word(State.allCases.map(\.rawValue))),
            .required("user", .line, "who signs"),
            .required(
                "statusCode", .number([100, 102, 153]), "102 after a wrong answer, 153 after an end without one"),
            .optional("challengeMode", .number([Int64(Challenge.mode)]), "step-up and sign, while challenged"),
            .optional("generation", .count, "which challenge is open"),
            .optional("method", .word(EvidenceKind.allCases.map(\.rawValue)), "what to answer with"),
            .optional("attemptsLeft", .count, "how many answers may still be wrong"),
            .required("payload", .text(max: 4096), "what is signed; of a batch, the line that stands for it"),
            .required("reason", .text(max: 1024), "why it is signed"),
            .required("authLevel", .number([0, 1, 4])),
            .required("authenticatorType", .number([0, 1])),
            .required("issuedAt", .time, "when it started, in milliseconds since 1970"),
            .optional("expiresAt", .time, "when its challenge ends, in milliseconds since 1970"),
            .optional("result", .message(resultShape), "where it is signed"),
            .optional("batch", .message(BatchMessage.shape), "what is signed at once, where it is several"),
        ])

    /// The seven names of the source documents (rule S16).
    package static let resultShape = Shape(
        "SignedResult",
        [
            .required("dataPayload", .text(max: 4096), "what was signed"),
            .required("dataPayloadLength", .integer(1...500), "its length in characters"),
            .required("reason", .text(max: 1024), "why it was signed"),
            .required("payloadSignature", .text(max: 16_384), "the statement, a compact JWS"),
            .required("dataSignatureID", .uuid, "the id of the statement"),
            .required("authLevel", .number([0, 1, 4])),
            .required("authenticatorType", .number([0, 1])),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        guard let id = UUIDText(try members.string("id")) else { throw Refusal(.memberValue, .member("id")) }
        guard let state = State(rawValue: try members.string("status")) else {
            throw Refusal(.memberValue, .member("status"))
        }
        self.id = id
        self.state = state
        user = try members.string("user")
        statusCode = try members.int("statusCode")
        challengeMode = members.optionalInt("challengeMode")
        generation = members.optionalInt("generation")
        method = members.optionalString("method")
        attemptsLeft = members.optionalInt("attemptsLeft")
        payload = try members.string("payload")
        reason = try members.string("reason")
        level = try members.int("authLevel")
        authenticatorType = try members.int("authenticatorType")
        issuedAt = try members.integer("issuedAt")
        expiresAt = members.optionalInteger("expiresAt")
        result = try members.signedResult("result")
        batch = try members.optionalMessage("batch")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id.text)
        writer.member(name: "status", string: state.rawValue)
        writer.member(name: "user", string: user)
        writer.member(name: "statusCode", integer: statusCode)
        writer.member(name: "challengeMode", integer: challengeMode)
        writer.member(name: "generation", integer: generation)
        writer.member(name: "method", string: method)
        writer.member(name: "attemptsLeft", integer: attemptsLeft)
        writer.member(name: "payload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "authLevel", integer: level)
        writer.member(name: "authenticatorType", integer: authenticatorType)
        writer.member(name: "issuedAt", integer: issuedAt)
        writer.member(name: "expiresAt", integer: expiresAt)
        if let result {
            writer.name("result")
            result.write(to: &writer)
        }
        if let batch {
            writer.name("batch")
            batch.write(to: &writer)
        }
        writer.endObject()
    }
}
