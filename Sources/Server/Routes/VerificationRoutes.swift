internal import CountersignVerifier
internal import HTTPTypes
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// Verifies statements with this service's own keys.
    static let verifications = Route(
        method: .post, path: PathPattern("/v1/verifications"), name: "verify",
        summary: "Verifies one statement or many of this service", access: .everyone,
        input: .json(VerifyStatements.shape),
        answer: Route.Answer(
            status: 200, type: "application/json", shape: VerdictMessage.shape,
            otherShape: ListMessage<VerdictMessage>.shape), isHeavy: true,
        refusals: [.tooManyStatements, .tooManyRequests, .serverBusy]
    ) { call in
        let message = try call.message(VerifyStatements.self)
        let network = call.address?.network ?? .unknown
        let count = message.statements.count
        if let seconds = call.service.verifiedStatements.take(count, of: network, at: call.now) {
            throw Refusal(.tooManyRequests, .retryAfter(seconds: seconds))
        }
        let trust = try await call.service.engine.trust()
        let (policy, now) = (message.policy.policy, call.now / 1000)
        let verdicts = try await call.service.verifications.run(from: network) {
            var verdicts: [VerdictMessage] = []
            for (index, statement) in message.statements.enumerated() {
                // Others may have the thread between two.
                if index % 16 == 15 { await Task.yield() }
                let verifier = StatementVerifier(trust: trust, policy: policy)
                verdicts.append(VerdictMessage(verifier.verify(Array(statement.utf8), at: now)))
            }
            return verdicts
        }
        if message.isSingle, let verdict = verdicts.first { return .json(verdict.json) }
        return .json(ListMessage(verdicts).json)
    }
}
