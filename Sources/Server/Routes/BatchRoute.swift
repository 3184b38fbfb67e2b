internal import HTTPTypes
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// Several payloads signed at once. What follows is as for any signing.
    static let batchRoute = Route(
        method: .post, path: PathPattern("/v1/batches"), name: "startBatch",
        summary: "Asks a person to sign several texts at once for one reason, all or nothing",
        access: .sessions([.person, .service]), input: .json(StartBatch.shape),
        answer: .json(SigningMessage.shape, status: 201), isIdempotencyKeyTaken: true, isConfirmed: true, isHeavy: true,
        refusals: [
            .methodNotSupported, .ceremonyOpen, .authenticationFailed, .batchEmpty, .batchTooLarge, .batchTooManyBytes,
            .batchReference, .payloadTooLong, .noActiveKey, .stepUpNeeded, .serverBusy,
        ]
    ) { call in
        let message = try call.message(StartBatch.self)
        let session = try call.session()
        let record = try await call.service.batches.run(from: call.address?.network ?? .unknown) {
            try await call.counted(level: message.level) {
                try await call.service.engine.start(
                    as: session, user: call.user(message.user), payloads: .batch(message.payloads.map(\.draft)),
                    reason: Array(message.reason.utf8), level: message.level, type: message.authenticatorType,
                    confirming: call.presumed, once: call.once { .signing($0.id) })
            }
        }
        return call.signing(record)
    }
}
