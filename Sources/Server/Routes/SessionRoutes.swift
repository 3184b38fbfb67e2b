internal import CountersignKeys
internal import CountersignVerifier
internal import HTTPTypes
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// How sessions begin and end.
    static let sessionRoutes: [Route] = [
        Route(
            method: .post, path: PathPattern("/v1/devices"), name: "enrolDevice",
            summary: "Enrols a device with an activation code, and logs in", access: .holdersOfKey,
            input: .json(EnrolDevice.shape), answer: .json(GrantMessage.shape, status: 201),
            isIdempotencyKeyTaken: true,
            refusals: [
                .authenticationFailed, .authenticationBusy, .deviceKeyTaken, .deviceKeyRefused, .deviceNameCharacter,
                .passwordTooShort,
            ]
        ) { call in
            let message = try call.message(EnrolDevice.self)
            let key = try call.proof().key
            return try await call.answer({ GrantMessage($0) }) { once in
                try await call.service.engine.enrol(
                    user: UserName(message.user), code: ActivationCode(message.activationCode),
                    password: message.password, deviceName: message.deviceName, key: key, once: once)
            }
        },
        Route(
            method: .post, path: PathPattern("/v1/sessions"), name: "logIn",
            summary: "Logs a person in on an enrolled device", access: .holdersOfKey, input: .json(LogIn.shape),
            answer: .json(GrantMessage.shape, status: 201), isIdempotencyKeyTaken: true,
            refusals: [.authenticationFailed, .authenticationBusy, .passwordTooLong]
        ) { call in
            let message = try call.message(LogIn.self)
            let key = try call.proof().key
            return try await call.answer({ GrantMessage($0) }) { once in
                try await call.service.engine.logIn(
                    user: UserName(message.user), password: message.password, key: key, once: once)
            }
        },
        Route(
            method: .post, path: PathPattern("/v1/operator/sessions"), name: "logInOperator",
            summary: "Logs the operator in with a token that works once", access: .holdersOfKey,
            input: .json(LogInOperator.shape), answer: .json(GrantMessage.shape, status: 201),
            isIdempotencyKeyTaken: true, refusals: [.authenticationFailed, .deviceKeyRefused]
        ) { call in
            let message = try call.message(LogInOperator.self)
            let key = try call.proof().key
            let text = message.token.withBytes { bytes in
                String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            }
            guard let token = SessionToken(text, .operatorToken) else { throw Refusal(.authenticationFailed) }
            let reply = try await call.answer({ GrantMessage($0) }) { once in
                try await call.service.engine.logInOperator(token, key: key, once: once)
            }
            call.service.onOperatorLogIn(token.hash)
            return reply
        },
        Route(
            method: .get, path: PathPattern("/v1/sessions"), name: "listSessions",
            summary: "The caller's live sessions",
            access: .sessions([.person, .operator]), answer: .json(ListMessage<SessionMessage>.shape)
        ) { call in
            let current = try call.session()
            let sessions = try await call.service.engine.sessions(of: current.owner)
            return .json(ListMessage(sessions.map { SessionMessage($0, current: current.id) }).json)
        },
        Route(
            method: .delete, path: PathPattern("/v1/sessions/current"), name: "logOut",
            summary: "Ends the session that asks", access: .sessions([.person, .service, .operator]), answer: .nothing
        ) { call in
            let current = try call.session()
            try await call.service.engine.endSession(current.id, of: current.owner)
            return .nothing
        },
        Route(
            method: .delete, path: PathPattern("/v1/sessions/{id}"), name: "endSession",
            summary: "Ends a session of the caller's; an operator ends any", access: .sessions([.person, .operator]),
            answer: .nothing, refusals: [.sessionUnknown]
        ) { call in
            guard let id = UUIDText(call.parameter()) else { throw Refusal(.sessionUnknown) }
            let owner = try call.session().owner
            try await call.service.engine.endSession(id, of: owner == .operator ? nil : owner)
            return .nothing
        },
    ]
}
