internal import CountersignJOSE
internal import CountersignVerifier
internal import Wire

extension Account {
    /// Asks for the signatures of several texts for one reason: one question, one authentication, and a statement for each text; all of
    /// them or none.
    ///
    /// - Parameters:
    ///   - user: Who signs, for a relying service; a person signs for nobody else.
    ///   - payloads: 1 to 1,000, with 1 MiB in all at most, in the order of the results.
    ///   - reason: Why, 1 to 100 characters.
    ///   - level: 0, 1 or 4.
    ///   - authenticatorType: 0 with levels 0 and 1, 1 with level 4.
    ///   - idempotencyKey: A name of this one batch; see ``startSigning(for:payload:reason:level:authenticatorType:idempotencyKey:)``.
    /// - Throws: `refused`; where one payload breaks a rule, with its position.
    public func startBatch(
        for user: String? = nil, payloads: [BatchItem], reason: String, level: Int = 1, authenticatorType: Int = 0,
        idempotencyKey: String? = nil
    ) async throws(ServiceError) -> SigningFlow {
        let request = StartBatch(
            user: user, payloads: payloads.map(\.message), reason: reason, level: level,
            authenticatorType: authenticatorType)
        let message: SigningMessage = try await connection.message(
            .post("/v1/batches", request, key: idempotencyKey, maxBytes: BatchMessage.maxBytes), as: authorizer)
        try message.check(against: request, by: user ?? profile.user)
        return SigningFlow(message, of: self)
    }
}

extension BatchMessage {
    /// The most bytes of a signing with a batch that may come.
    static var maxBytes: Int { 1 << 26 }
}

extension SigningMessage {
    /// Whether what is or will be signed is what was asked for, byte for byte, in its order.
    ///
    /// - Parameter signer: who signs; nil where that is not known here.
    func check(against request: StartBatch, by signer: String?) throws(ServiceError) {
        guard reason.hasSameUTF8(as: request.reason), level == request.level,
            authenticatorType == request.authenticatorType
        else { throw .protocolViolation("the service signs something else than what was asked for") }
        if let signer, !signer.hasSameUTF8(as: user) {
            throw .protocolViolation("the service signs for another user than the one who was asked for")
        }
        // One that is over without a signature has no list any more.
        guard state == .challenged || state == .signed else { return try check() }
        try check(items: request.payloads.map { ($0.payload, $0.reference) })
        try check()
    }

    /// Whether it is the batch of the same signing, or none as there.
    func check(batchOf other: SigningMessage) throws(ServiceError) {
        guard state == .challenged || state == .signed else { return }
        guard let list = other.batch else {
            guard batch == nil else { throw .protocolViolation("the service answered for another signing") }
            return
        }
        try check(items: list.items.map { ($0.text, $0.reference) })
    }

    private func check(items: [(payload: String, reference: String?)]) throws(ServiceError) {
        guard let batch, batch.items.count == items.count,
            zip(batch.items, items).allSatisfy({ item, asked in
                item.text.hasSameUTF8(as: asked.payload)
                    && item.reference.map { Array($0.utf8) } == asked.reference.map { Array($0.utf8) }
            })
        else { throw .protocolViolation("the service signs another list than the one that was asked for") }
    }

    /// Whether a batch is all open or all signed, and each statement is the one of its payload and its place.
    func check(_ batch: BatchMessage) throws(ServiceError) {
        guard result == nil, batch.items.allSatisfy({ ($0.result != nil) == (state == .signed) }),
            batch.digest.hasSameUTF8(as: BatchPlace.digest(of: batch.items.lazy.map(\.text)))
        else { throw .protocolViolation("the service's batch is neither open nor signed") }
        for (index, item) in batch.items.enumerated() {
            guard let result = item.result else { continue }
            let place = BatchPlace(digest: batch.digest, position: index + 1, count: batch.items.count)
            let claim = try claims(of: result, payload: item.text).reserved[.batch]
            guard let claim, let place, claim.hasSameUTF8(as: place.description) else {
                throw .protocolViolation("the service signed a payload at another place of the batch")
            }
        }
    }
}
