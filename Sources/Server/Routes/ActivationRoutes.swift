internal import CountersignJOSE
internal import CountersignVerifier
internal import Devices
internal import HTTPTypes
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// How a new device becomes one of a user's by the word of another. All of them for the key that began.
    static let activationRoutes: [Route] = [
        Route(
            method: .post, path: PathPattern("/v1/activations"), name: "beginActivation",
            summary: "Begins the activation of a new device: addNewDeviceOptions. The same for every user's name",
            access: .holdersOfKey, input: .json(BeginActivation.shape),
            answer: .json(ActivationMessage.shape, status: 201), isIdempotencyKeyTaken: true,
            refusals: [.deviceKeyTaken, .deviceKeyRefused, .deviceNameCharacter]
        ) { call in
            let message = try call.message(BeginActivation.self)
            let key = try call.proof().key
            try call.takeActivation()
            return try await call.answer({ ActivationMessage($0) }) { once in
                try await call.service.engine.beginActivation(
                    of: UserName(message.user), deviceName: message.name, key: key, address: call.address?.description,
                    once: once)
            }
        },
        Route(
            method: .get, path: PathPattern("/v1/activations/{id}"), name: "activation",
            summary: "How far an activation is", access: .holdersOfKey, answer: .json(ActivationMessage.shape),
            takesWait: true, refusals: [.activationUnknown]
        ) { call in
            let (id, thumbprint) = try call.activation()
            let (record, fields) = try await call.waits(for: .activation(id)) {
                $0.status != .waiting
            } _: {
                try await call.service.engine.activation(id, of: thumbprint)
            }
            return .json(ActivationMessage(record).json, fields)
        },
        step("verify", "verifyActivation", "Asks the user's devices to approve the new one: performVerifyAuth(true)") {
            try await $0.verifyActivation($1, of: $2, once: $3)
        },
        step(
            "fallback", "fallBackActivation",
            "Goes on with an activation code, which comes to the user in another way: fallbackNewDeviceActivationFlow"
        ) {
            try await $0.fallBack($1, of: $2, once: $3)
        },
        Route(
            method: .post, path: PathPattern("/v1/activations/{id}/finish"), name: "finishActivation",
            summary: "The password of an approved device's user: it is activated, and logged in", access: .holdersOfKey,
            input: .json(FinishActivation.shape), answer: .json(GrantMessage.shape, status: 201),
            isIdempotencyKeyTaken: true,
            refusals: [
                .activationUnknown, .activationPending, .activationRejected, .activationExpired,
                .activationMethodUnavailable, .cancelled, .authenticationFailed, .authenticationBusy, .passwordTooLong,
                .deviceKeyTaken,
            ]
        ) { call in
            let message = try call.message(FinishActivation.self)
            let (id, thumbprint) = try call.activation()
            return try await call.answer({ GrantMessage($0) }) { once in
                try await call.service.engine.finishActivation(
                    id, of: thumbprint, password: message.password, once: once)
            }
        },
        Route(
            method: .delete, path: PathPattern("/v1/activations/{id}"), name: "cancelActivation",
            summary: "Gives up: performVerifyAuth(false), resetAuthState; in any state, twice too",
            access: .holdersOfKey, answer: .nothing, refusals: [.activationUnknown]
        ) { call in
            let (id, thumbprint) = try call.activation()
            try await call.service.engine.cancelActivation(id, of: thumbprint)
            return .nothing
        },
    ]

    /// Something that the new device chooses.
    private static func step(
        _ word: String, _ name: String, _ summary: String,
        _ work:
            @escaping @Sendable (SigningEngine, UUIDText, String, Once<ActivationRecord>?) async throws ->
            ActivationRecord
    ) -> Route {
        Route(
            method: .post, path: PathPattern("/v1/activations/{id}/\(word)"), name: name, summary: summary,
            access: .holdersOfKey, answer: .json(ActivationMessage.shape), isIdempotencyKeyTaken: true,
            refusals: [
                .activationUnknown, .activationRejected, .activationExpired, .activationMethodUnavailable, .cancelled,
                .deviceKeyTaken, .tooManyOpen,
            ]
        ) { call in
            let (id, thumbprint) = try call.activation()
            return try await call.answer({ ActivationMessage($0) }) { once in
                try await work(call.service.engine, id, thumbprint, once)
            }
        }
    }
}

extension Call {
    /// The activation that the path names, and the thumbprint of the key that asks for it.
    fileprivate func activation() throws(Refusal) -> (UUIDText, String) {
        let thumbprint = try proof().thumbprint
        guard let id = UUIDText(parameter()) else { throw Refusal(.activationUnknown) }
        return (id, thumbprint)
    }

    /// Counts a new device against the address that it comes from: what it begins is kept for a while (attack D6).
    fileprivate func takeActivation() throws(Refusal) {
        guard let seconds = service.activations.take(of: address?.network ?? .unknown, at: now) else { return }
        throw Refusal(.tooManyRequests, .retryAfter(seconds: seconds))
    }
}
