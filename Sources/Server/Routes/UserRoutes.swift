internal import CountersignVerifier
internal import HTTPTypes
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// Users, for operators.
    static let userRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/v1/users"), name: "listUsers", summary: "All users, by name",
            access: .sessions([.operator]), answer: .json(ListMessage<UserMessage>.shape), isHeavy: true
        ) { call in .json(ListMessage(try await call.service.engine.users().map(UserMessage.init)).json) },
        Route(
            method: .post, path: PathPattern("/v1/users"), name: "addUser",
            summary: "Adds a user, who sets a password with an activation code", access: .sessions([.operator]),
            input: .json(AddUser.shape), answer: .json(UserMessage.shape, status: 201), isIdempotencyKeyTaken: true,
            refusals: [.userExists, .userNameMalformed]
        ) { call in
            let name = try SigningEngine.userName(call.message(AddUser.self).user)
            return try await call.answer(UserMessage.init) { once in
                try await call.service.engine.addUser(name, password: nil, once: once)
            }
        },
        Route(
            method: .get, path: PathPattern("/v1/users/{user}"), name: "user", summary: "A user",
            access: .sessions([.operator]), answer: .json(UserMessage.shape), refusals: [.userUnknown]
        ) { call in
            guard let user = try await call.service.engine.user(call.namedUser()) else { throw Refusal(.userUnknown) }
            return .json(UserMessage(user).json)
        },
        action("lock", "lockUser", "Locks a user: they cannot sign until they are unlocked") { engine, name, once in
            try await engine.lock(name, once: once)
        },
        action("unlock", "unlockUser", "Unlocks a user, and lifts what wrong answers brought") { engine, name, once in
            try await engine.unlock(name, once: once)
        },
        Route(
            method: .post, path: PathPattern("/v1/users/{user}/activation-codes"), name: "makeActivationCode",
            summary: "Makes a code that enrols one device; it replaces one that was not used",
            access: .sessions([.operator]), answer: .json(ActivationCodeMessage.shape, status: 201),
            isIdempotencyKeyTaken: true, refusals: [.userUnknown]
        ) { call in
            let name = try call.namedUser()
            return try await call.answer(ActivationCodeMessage.init) { once in
                try await call.service.engine.makeActivationCode(for: name, once: once)
            }
        },
        Route(
            method: .delete, path: PathPattern("/v1/users/{user}/password"), name: "clearPassword",
            summary: "Takes a user's password away and ends their sessions", access: .sessions([.operator]),
            answer: .nothing, refusals: [.userUnknown]
        ) { call in
            try await call.service.engine.clearPassword(of: call.namedUser())
            return .nothing
        },
        Route(
            method: .get, path: PathPattern("/v1/users/{user}/sessions"), name: "listUserSessions",
            summary: "A user's live sessions", access: .sessions([.operator]),
            answer: .json(ListMessage<SessionMessage>.shape), refusals: [.userUnknown]
        ) { call in
            let sessions = try await call.service.engine.sessions(of: .person(call.knownUser()))
            return .json(ListMessage(sessions.map { SessionMessage($0, current: nil) }).json)
        },
        Route(
            method: .delete, path: PathPattern("/v1/users/{user}/sessions"), name: "endUserSessions",
            summary: "Ends a user's sessions", access: .sessions([.operator]), answer: .nothing,
            refusals: [.userUnknown]
        ) { call in
            try await call.service.engine.endSessions(of: call.namedUser())
            return .nothing
        },
        Route(
            method: .delete, path: PathPattern("/v1/users/{user}/signings"), name: "endUserSignings",
            summary: "Ends a user's open signings", access: .sessions([.operator]), answer: .json(CountMessage.shape),
            refusals: [.userUnknown]
        ) { call in .json(CountMessage(try await call.service.engine.resetAll(of: call.knownUser())).json) },
    ]

    /// Something that is done to a user and shows in them.
    private static func action(
        _ word: String, _ name: String, _ summary: String,
        _ work: @escaping @Sendable (SigningEngine, UserName, Once<User>?) async throws -> User
    ) -> Route {
        Route(
            method: .post, path: PathPattern("/v1/users/{user}/\(word)"), name: name, summary: summary,
            access: .sessions([.operator]), answer: .json(UserMessage.shape), isIdempotencyKeyTaken: true,
            refusals: [.userUnknown]
        ) { call in
            let name = try call.namedUser()
            return try await call.answer(UserMessage.init) { once in try await work(call.service.engine, name, once) }
        }
    }
}

extension Call {
    /// The user that the path names, whether or not there is one.
    func namedUser() throws(Refusal) -> UserName {
        guard let name = UserName(parameter()) else { throw Refusal(.userUnknown) }
        return name
    }

    /// The user that the path names.
    func knownUser() async throws -> UserName {
        let name = try namedUser()
        guard try await service.engine.user(name) != nil else { throw Refusal(.userUnknown) }
        return name
    }
}
