package import CountersignJOSE
package import CountersignVerifier
package import Signing

/// `POST /v1/batches`: several payloads for one reason, signed at once.
package struct StartBatch: WireMessage {
    /// Who signs: for relying services, which have no user of their own.
    package let user: String?
    /// What is signed, in this order.
    package let payloads: [BatchPayload]
    /// Why it is signed.
    package let reason: String
    /// The level that is asked for.
    package let level: Int
    /// The type that is asked for.
    package let authenticatorType: Int

    /// A request.
    package init(user: String? = nil, payloads: [BatchPayload], reason: String, level: Int, authenticatorType: Int) {
        self.user = user
        self.payloads = payloads
        self.reason = reason
        self.level = level
        self.authenticatorType = authenticatorType
    }

    /// Its members. Texts may be longer here than the rules allow, so that the rules say what is wrong.
    package static let shape = Shape(
        "StartBatch",
        [
            .optional("user", .line, "who signs; for relying services only"),
            .required(
                "payloads",
                .list(.message(BatchPayload.shape), max: Batch.maxPayloads, otherwise: .batchTooLarge),
                "what is signed, in this order, all of it or nothing; 1,048,576 bytes together"),
            .required("reason", .text(max: 65_536), "why it is signed: 1 to 100 characters"),
            .required("authLevel", .anyInteger, "0, 1 or 4"),
            .required("authenticatorType", .anyInteger, "0 with levels 0 and 1, 1 with level 4"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = members.optionalString("user")
        payloads = try members.messages("payloads")
        reason = try members.string("reason")
        level = try members.int("authLevel")
        authenticatorType = try members.int("authenticatorType")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.name("payloads")
        writer.beginArray()
        for payload in payloads { payload.write(to: &writer) }
        writer.endArray()
        writer.member(name: "reason", string: reason)
        writer.member(name: "authLevel", integer: level)
        writer.member(name: "authenticatorType", integer: authenticatorType)
        writer.endObject()
    }
}

/// One payload of a batch that is asked for.
package struct BatchPayload: WireMessage {
    /// What is signed.
    package let payload: String
    /// What the caller calls it; kept beside its statement, and not signed.
    package let reference: String?

    /// A payload.
    package init(payload: String, reference: String? = nil) {
        self.payload = payload
        self.reference = reference
    }

    /// Its members.
    package static let shape = Shape(
        "BatchPayload",
        [
            .required("payload", .text(max: 65_536), "what is signed: 1 to 500 characters"),
            .optional("reference", .line, "what the caller calls it, 1 to 128 bytes; no two alike"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        payload = try members.string("payload")
        reference = members.optionalString("reference")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "payload", string: payload)
        writer.member(name: "reference", string: reference)
        writer.endObject()
    }

    /// As the rules take it.
    package var draft: Batch.Draft { Batch.Draft(payload: Array(payload.utf8), reference: reference) }
}

/// What is signed at once, as it stands: part of a signing.
package struct BatchMessage: WireMessage {
    /// The digest of the list, as the claim `batch` has it.
    package let digest: String
    /// The payloads, in their order.
    package let items: [BatchItemMessage]

    /// A batch.
    package init(digest: String, items: [BatchItemMessage]) {
        self.digest = digest
        self.items = items
    }

    /// Its members.
    package static let shape = Shape(
        "Batch",
        [
            .required("digest", .line, "the digest of the list, as the claim batch has it"),
            .required(
                "items", .list(.message(BatchItemMessage.shape), max: Batch.maxPayloads, otherwise: .batchTooLarge),
                "all that is signed, in its order"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        digest = try members.string("digest")
        items = try members.messages("items")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "digest", string: digest)
        writer.name("items")
        writer.beginArray()
        for item in items { item.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}

/// One payload of a batch: what it is while it waits, its result once it is signed.
package struct BatchItemMessage: WireMessage {
    /// What the caller calls it.
    package let reference: String?
    /// What is to be signed; nil once it is signed.
    package let payload: String?
    /// The result; nil until it is signed.
    package let result: SignedResult?

    /// One payload.
    package init(reference: String?, payload: String? = nil, result: SignedResult? = nil) {
        self.reference = reference
        self.payload = payload
        self.result = result
    }

    /// What is or was signed.
    package var text: String { result?.payload ?? payload ?? "" }

    /// Its members.
    package static let shape = Shape(
        "BatchItem",
        [
            .optional("reference", .line, "what the caller calls it"),
            .optional("payload", .text(max: 4096), "what is to be signed"),
            .optional("result", .message(SigningMessage.resultShape), "where it is signed"),
        ], alternatives: ["payload", "result"])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        reference = members.optionalString("reference")
        payload = members.optionalString("payload")
        result = try members.signedResult("result")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "reference", string: reference)
        writer.member(name: "payload", string: payload)
        if let result {
            writer.name("result")
            result.write(to: &writer)
        }
        writer.endObject()
    }
}

extension Members {
    /// A result, which may be absent.
    func signedResult(_ name: StaticString) throws(Refusal) -> SignedResult? {
        guard let object = optionalObject(name) else { return nil }
        let text = JSON.object(object).canonical()
        do throws(InvalidReason) { return try SignedResult(text.span) } catch {
            throw Refusal(.memberValue, .member(name.description))
        }
    }
}
