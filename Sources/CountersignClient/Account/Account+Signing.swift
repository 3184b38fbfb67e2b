internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import Signing
internal import Wire

extension Account {
    /// Asks for a signature: `authenticateUserAndSignData`. What comes back is a challenge for the person, or at level 0 the
    /// result.
    ///
    /// - Parameters:
    ///   - user: Who signs, for a relying service; a person signs for nobody else.
    ///   - payload: What is signed, 1 to 500 characters.
    ///   - reason: Why, 1 to 100 characters.
    ///   - level: 0, 1 or 4.
    ///   - authenticatorType: 0 with levels 0 and 1, 1 with level 4.
    ///   - idempotencyKey: A name of this one signing, 1 to 128 visible characters of ASCII: whoever asks again by it, in another
    ///     process or after a crash, gets the same signing as it stands then, and not a second. nil: a new one.
    /// - Throws: `refused` with 214 for another level or type, 1101 while another signing is open in this session.
    public func startSigning(
        for user: String? = nil, payload: String, reason: String, level: Int = 1, authenticatorType: Int = 0,
        idempotencyKey: String? = nil
    ) async throws(ServiceError) -> SigningFlow {
        let request = StartSigning(
            user: user, payload: payload, reason: reason, level: level, authenticatorType: authenticatorType)
        let message: SigningMessage = try await connection.message(
            .post("/v1/signings", request, key: idempotencyKey), as: authorizer)
        try message.check(against: request, by: user ?? profile.user)
        return SigningFlow(message, of: self)
    }

    /// A signing as it stands: for one whose answer was lost on its way.
    ///
    /// - Parameter id: ``SigningFlow/id``.
    public func signing(_ id: String) async throws(ServiceError) -> SigningFlow {
        let message: SigningMessage = try await connection.message(
            .get("/v1/signings/\(Call.segment(id))"), as: authorizer)
        guard message.id.text.hasSameUTF8(as: id) else {
            throw .protocolViolation("the service answered for another signing")
        }
        try message.check()
        return SigningFlow(message, of: self)
    }

    /// Ends the signing that is open in this session. Where there is none, that is fine too.
    public func resetSigning() async throws(ServiceError) {
        try await connection.done(.delete("/v1/signings/current"), as: authorizer)
    }

    /// Answers a challenge. Where the reply is lost, the signing is looked at before the password is sent again; and then with the
    /// same key, for which the service keeps its reply, so that a wrong one does not cost two attempts.
    func answer(_ signing: SigningMessage, with password: Secret) async throws(ServiceError) -> SigningMessage {
        let path = "/v1/signings/\(signing.id.text)"
        let call = try Call.post(
            path + "/answers", AnswerChallenge(generation: signing.generation, password: password.bytes),
            maxBytes: signing.batch == nil ? 1 << 20 : BatchMessage.maxBytes, isCostly: true)
        var (round, wasSent) = (0, false)
        while true {
            do throws(ServiceError) {
                let answered: SigningMessage = try await connection.message(call.once, as: authorizer)
                try answered.check(against: signing)
                return answered
            } catch {
                wasSent = wasSent || error.mayBeDone
                guard error.isLost, round < 2 else { throw wasSent ? error.unanswered : error }
                round += 1
                let now = try await state(of: signing, wasAnswered: wasSent)
                if now.state == .signed { return now }
                if now.state == .failed { throw ServiceError(.exhausted) }
                guard now.state == .challenged else { throw error }
            }
        }
    }

    /// A signing as it stands, after an answer that may have arrived.
    private func state(of signing: SigningMessage, wasAnswered: Bool) async throws(ServiceError) -> SigningMessage {
        do throws(ServiceError) {
            let now: SigningMessage = try await connection.message(
                .get("/v1/signings/\(signing.id.text)"), as: authorizer)
            try now.check(against: signing)
            return now
        } catch {
            throw wasAnswered ? error.unanswered : error
        }
    }
}

extension SigningMessage {
    /// Whether what is or will be signed is what was asked for, byte for byte.
    ///
    /// - Parameter signer: who signs; nil where that is not known here.
    func check(against request: StartSigning, by signer: String?) throws(ServiceError) {
        guard batch == nil, payload.hasSameUTF8(as: request.payload), reason.hasSameUTF8(as: request.reason),
            level == request.level,
            authenticatorType == request.authenticatorType
        else { throw .protocolViolation("the service signs something else than what was asked for") }
        if let signer, !signer.hasSameUTF8(as: user) {
            throw .protocolViolation("the service signs for another user than the one who was asked for")
        }
        try check()
    }

    /// Whether it is the same signing.
    func check(against other: SigningMessage) throws(ServiceError) {
        guard id == other.id, user.hasSameUTF8(as: other.user), payload.hasSameUTF8(as: other.payload),
            reason.hasSameUTF8(as: other.reason), level == other.level, authenticatorType == other.authenticatorType
        else { throw .protocolViolation("the service answered for another signing") }
        try check(batchOf: other)
        try check()
    }

    /// Whether the result, where it is signed, is that of this signing. What the statement says counts, not what is told beside
    /// it; whose signature it is, the trusted keys tell.
    func check() throws(ServiceError) {
        if let batch { return try check(batch) }
        guard (state == .signed) == (result != nil) else {
            throw .protocolViolation("the service's signing is neither open nor signed")
        }
        guard let result else { return }
        _ = try claims(of: result, payload: payload)
    }

    /// What the statement in a result says, where that is this signing of this payload.
    func claims(of result: SignedResult, payload: String) throws(ServiceError) -> Claims {
        guard result.payload.hasSameUTF8(as: payload), result.reason.hasSameUTF8(as: reason), result.level == level,
            result.authenticatorType == authenticatorType
        else { throw .protocolViolation("the service signed something else than what was asked for") }
        let claims: Claims
        do throws(InvalidReason) {
            claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
        } catch {
            throw .protocolViolation("what the service signed is no statement: \(error.description)")
        }
        guard result.agrees(with: claims), claims.ceremony == id, claims.subject.text.hasSameUTF8(as: user) else {
            throw .protocolViolation("the statement says something else than what was asked for")
        }
        return claims
    }
}
