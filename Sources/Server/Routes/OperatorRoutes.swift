internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import HTTPTypes
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// Keys, for operators.
    static let signingKeyRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/v1/keys"), name: "listKeys", summary: "All keys, the root key included",
            access: .sessions([.operator]), answer: .json(ListMessage<KeyMessage>.shape)
        ) { call in .json(ListMessage(try await call.service.engine.keys().map(KeyMessage.init)).json) },
        Route(
            method: .post, path: PathPattern("/v1/keys"), name: "createKey",
            summary: "Makes a key that does not sign yet, so that verifiers can learn of it",
            access: .sessions([.operator]), input: .json(CreateKey.shape),
            answer: .json(KeyMessage.shape, status: 201), isIdempotencyKeyTaken: true, isHeavy: true
        ) { call in
            let algorithm = Service.algorithm(try call.message(CreateKey.self).algorithm)
            return try await call.answer(KeyMessage.init) { once in
                try await call.service.engine.createKey(algorithm, once: once)
            }
        },
        Route(
            method: .post, path: PathPattern("/v1/keys/rotate"), name: "rotateKeys",
            summary: "Lets another key sign from now on, and retires the one that did",
            access: .sessions([.operator]), input: .json(RotateKeys.shape),
            answer: .json(KeyMessage.shape, status: 201),
            isIdempotencyKeyTaken: true, isHeavy: true, refusals: [.keyUnknown, .keyState]
        ) { call in
            let message = try call.message(RotateKeys.self)
            // Text with a NUL is none for a store.
            guard message.to.map({ !$0.utf8.contains(0) }) ?? true else { throw Refusal(.keyUnknown) }
            return try await call.answer(KeyMessage.init) { once in
                try await call.service.engine.rotateKeys(
                    to: message.to, algorithm: Service.algorithm(message.algorithm), once: once)
            }
        },
        Route(
            method: .post, path: PathPattern("/v1/keys/{kid}/retire"), name: "retireKey",
            summary: "Ends a key's time; what it signed holds", access: .sessions([.operator]),
            answer: .json(KeyMessage.shape), isIdempotencyKeyTaken: true, refusals: [.keyUnknown, .keyState]
        ) { call in
            let id = call.parameter()
            return try await call.answer(KeyMessage.init) { once in
                try await call.service.engine.retireKey(id, once: once)
            }
        },
        Route(
            method: .post, path: PathPattern("/v1/keys/{kid}/revoke"), name: "revokeKey",
            summary: "Revokes a key: superseded, or compromised, and then nothing that it signed proves when",
            access: .sessions([.operator]), input: .json(RevokeKey.shape), answer: .json(KeyMessage.shape),
            isIdempotencyKeyTaken: true, refusals: [.keyUnknown, .keyState]
        ) { call in
            let (id, text) = (call.parameter(), try call.message(RevokeKey.self).reason)
            guard let reason = TrustedKey.Revocation.Reason(rawValue: text) else {
                throw Refusal(.memberValue, .member("reason"))
            }
            return try await call.answer(KeyMessage.init) { once in
                try await call.service.engine.revokeKey(id, as: reason, once: once)
            }
        },
        Route(
            method: .post, path: PathPattern("/v1/trust/history"), name: "signHistory",
            summary: "Signs a new key history with the root key", access: .sessions([.operator]),
            answer: .init(status: 200, type: "application/jwt"), isIdempotencyKeyTaken: true,
            refusals: [.keyUnknown, .keyState, .noActiveKey]
        ) { call in
            let text = try await call.service.engine.signHistory(once: call.once { .body(status: 200, $0) })
            return Reply(200, .bytes(text, type: "application/jwt"))
        },
    ]

    /// Relying services, settings and the state of the store, for operators.
    static let operatorRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/v1/clients"), name: "listClients", summary: "All relying services",
            access: .sessions([.operator]), answer: .json(ListMessage<ClientMessage>.shape)
        ) { call in .json(ListMessage(try await call.service.engine.clients().map { ClientMessage($0) }).json) },
        Route(
            method: .post, path: PathPattern("/v1/clients"), name: "addClient",
            summary: "Adds a relying service, with a secret that is shown once or with its own key",
            access: .sessions([.operator]), input: .json(AddClient.shape),
            answer: .json(ClientMessage.shape, status: 201), isIdempotencyKeyTaken: true,
            refusals: [.clientExists, .clientNameMalformed, .deviceKeyRefused]
        ) { call in
            let message = try call.message(AddClient.self)
            guard let name = ClientName(message.client) else { throw Refusal(.clientNameMalformed) }
            let credential = message.key.map { ClientCredential.key($0.key) } ?? .generatedSecret
            return try await call.answer({ (added: AddedClient) in
                ClientMessage(added.client, secret: added.secret)
            }) { once in
                try await call.service.engine.addClient(name, credential: credential, once: once)
            }
        },
        clientAction("lock", "lockClient", "Locks a relying service, and ends its sessions") { engine, name, once in
            try await engine.lockClient(name, once: once)
        },
        clientAction("unlock", "unlockClient", "Unlocks a relying service") { engine, name, once in
            try await engine.unlockClient(name, once: once)
        },
        Route(
            method: .get, path: PathPattern("/v1/settings"), name: "listSettings", summary: "The settings of the store",
            access: .sessions([.operator]), answer: .json(ListMessage<SettingMessage>.shape)
        ) { call in
            let settings = try await call.service.engine.settings()
            return .json(
                ListMessage(
                    SettingName.allCases.map {
                        SettingMessage(name: $0.rawValue, value: $0.value(in: settings), help: $0.help)
                    }
                ).json)
        },
        Route(
            method: .put, path: PathPattern("/v1/settings/{name}"), name: "changeSetting", summary: "Changes a setting",
            access: .sessions([.operator]), input: .json(ChangeSetting.shape), answer: .json(SettingMessage.shape),
            refusals: [.settingUnknown, .settingValue]
        ) { call in
            guard let name = SettingName(rawValue: call.parameter()) else { throw Refusal(.settingUnknown) }
            let value = try call.message(ChangeSetting.self).value
            guard try await call.service.engine.set(name, to: value) else { throw Refusal(.settingValue) }
            let settings = try await call.service.engine.settings()
            return .json(SettingMessage(name: name.rawValue, value: name.value(in: settings), help: name.help).json)
        },
        Route(
            method: .get, path: PathPattern("/v1/status"), name: "status", summary: "The store at a glance",
            access: .sessions([.operator]), answer: .json(StatusMessage.shape)
        ) { call in .json(StatusMessage(try await call.service.engine.status()).json) },
    ]

    /// Something that is done to a relying service and shows in it.
    private static func clientAction(
        _ word: String, _ name: String, _ summary: String,
        _ work: @escaping @Sendable (SigningEngine, ClientName, Once<Client>?) async throws -> Client
    ) -> Route {
        Route(
            method: .post, path: PathPattern("/v1/clients/{client}/\(word)"), name: name, summary: summary,
            access: .sessions([.operator]), answer: .json(ClientMessage.shape), isIdempotencyKeyTaken: true,
            refusals: [.clientUnknown]
        ) { call in
            guard let name = ClientName(call.parameter()) else { throw Refusal(.clientUnknown) }
            return try await call.answer({ ClientMessage($0) }) { once in
                try await work(call.service.engine, name, once)
            }
        }
    }

    private static func algorithm(_ name: String?) -> KeyAlgorithm { name.flatMap(KeyAlgorithm.init) ?? .es256 }
}
