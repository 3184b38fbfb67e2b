internal import CountersignVerifier
internal import HTTPTypes
internal import Sessions
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// Signing: start, answer, look, reset.
    static let signingRoutes: [Route] = [
        Route(
            method: .post, path: PathPattern("/v1/signings"), name: "startSigning",
            summary: "Asks a person to sign a text for a reason: authenticateUserAndSignData",
            access: .sessions([.person, .service]), input: .json(StartSigning.shape),
            answer: .json(SigningMessage.shape, status: 201), isIdempotencyKeyTaken: true, isConfirmed: true,
            refusals: [
                .methodNotSupported, .ceremonyOpen, .authenticationFailed, .payloadTooLong, .noActiveKey, .stepUpNeeded,
            ]
        ) { call in
            let message = try call.message(StartSigning.self)
            let session = try call.session()
            let record = try await call.counted(level: message.level) {
                try await call.service.engine.start(
                    as: session, user: call.user(message.user), payloads: .one(Array(message.payload.utf8)),
                    reason: Array(message.reason.utf8), level: message.level, type: message.authenticatorType,
                    confirming: call.presumed, once: call.once { .signing($0.id) })
            }
            return call.signing(record)
        },
        Route(
            method: .get, path: PathPattern("/v1/signings/{id}"), name: "signing",
            summary: "A signing as it stands, also long after", access: .sessions([.person, .service, .operator]),
            answer: .json(SigningMessage.shape), isHeavy: true, refusals: [.ceremonyUnknown]
        ) { call in
            call.signing(try await call.service.engine.signing(call.ceremony(), as: call.session().owner))
        },
        Route(
            method: .post, path: PathPattern("/v1/signings/{id}/answers"), name: "answerChallenge",
            summary: "Answers the challenge of a signing: setPassword with challenge mode 12",
            access: .sessions([.person]), input: .json(AnswerChallenge.shape), answer: .json(SigningMessage.shape),
            isIdempotencyKeyTaken: true, isHeavy: true,
            refusals: [
                .authenticationFailed, .ceremonyUnknown, .ceremonyAnswered, .challengeExpired, .challengeReplaced,
                .noChallenge, .authenticationBusy, .noActiveKey, .passwordTooLong,
            ]
        ) { call in
            let message = try call.message(AnswerChallenge.self)
            let session = try call.session()
            let ceremony = try call.ceremony()
            let id = call.requestID
            let record = try await call.counted(level: 1) {
                try await call.service.engine.answer(
                    ceremony: ceremony, as: session, generation: message.generation, password: message.password,
                    once: call.once { answered in
                        switch answered {
                        case .signed(let record): .signing(record.id)
                        case .refused(let refusal):
                            .body(status: refusal.httpStatus, Problem(refusal, requestID: id).json)
                        }
                    })
            }
            return call.signing(record)
        },
        Route(
            method: .delete, path: PathPattern("/v1/signings/current"), name: "resetSigning",
            summary: "Ends the open signing of the session, if there is one: resetAuthenticateUserAndSignDataState",
            access: .sessions([.person, .service]), answer: .nothing
        ) { call in
            let session = try call.session()
            try await call.service.engine.reset(Asker(session: session.id, device: session.device))
            return .nothing
        },
        Route(
            method: .delete, path: PathPattern("/v1/signings/{id}"), name: "endSigning",
            summary: "Ends a signing, if it is open", access: .sessions([.person, .service, .operator]),
            answer: .nothing, refusals: [.ceremonyUnknown]
        ) { call in
            try await call.service.engine.reset(ceremony: call.ceremony(), as: call.session().owner)
            return .nothing
        },
        Route(
            method: .delete, path: PathPattern("/v1/signings"), name: "endSignings", summary: "Ends all open signings",
            access: .sessions([.operator]), answer: .json(CountMessage.shape)
        ) { call in .json(CountMessage(try await call.service.engine.resetAll()).json) },
    ]
}

extension Call {
    /// The ceremony that the path names.
    fileprivate func ceremony() throws(Refusal) -> UUIDText {
        guard let id = UUIDText(parameter()) else { throw Refusal(.ceremonyUnknown) }
        return id
    }

    /// The user that a relying service names.
    func user(_ text: String?) throws(Refusal) -> UserName? {
        guard let text else { return nil }
        return try SigningEngine.userName(text)
    }

    /// Counts how a step of a signing ended.
    func counted(level: Int, _ work: () async throws -> SigningRecord) async throws -> SigningRecord {
        // What a client makes up is one figure, not many.
        let level = [0, 1, 4].contains(level) ? level : -1
        do {
            let record = try await work()
            service.metrics.signing(level: level, result: record.state.rawValue)
            return record
        } catch let refusal as Refusal where presumed == nil {
            service.metrics.signing(level: level, result: refusal.name)
            throw refusal
        }
    }
}
