import CountersignClient
import CountersignKeys
import CountersignVerifier
import Signing
import Storage
import Wire

/// A request for a signature, judged here by the rules that the service has too, so that what breaks one is refused in the same
/// words, and nothing is sent that is not UTF-8.
struct RemoteRequest {
    let payload: String
    /// The payloads, where it is several at once.
    let batch: [BatchItem]?
    let reason: String

    init(payloads: Payloads, reason: [UInt8], level: Int, type: Int, audience: String?) throws {
        guard audience == nil else {
            throw Failure(
                .refusedInput,
                "the audience of what a service signs is the relying service that asks; leave --audience away"
            )
        }
        // Whether level 0 is allowed is for the service to say.
        _ = try Matrix.cell(level: level, type: type)
        switch payloads {
        case .one(let bytes): (payload, batch) = (try SigningText(bytes.span, as: .payload).text, nil)
        case .batch(let drafts):
            let parsed = try Batch(drafts)
            payload = parsed.line
            batch = parsed.items.map { BatchItem(payload: $0.payload.text, reference: $0.reference) }
        }
        self.reason = try SigningText(reason.span, as: .reason).text
    }
}

extension Challenge {
    /// The challenge of a service. Its times are those of another clock: what is left counts from now.
    ///
    /// - Parameter audience: the relying service that asked, if one did.
    init(_ message: SigningMessage, for audience: String? = nil) throws {
        guard let user = UserName(message.user), let method = message.method.flatMap(EvidenceKind.init(rawValue:)),
            let attempts = message.attemptsLeft, let status = OperationStatus(rawValue: message.statusCode),
            let session = UUIDText(try SecureRandom.uuid())
        else { throw ServiceError.protocolViolation("the service's challenge cannot be read") }
        let request: SigningRequest
        do throws(Refusal) {
            if let batch = message.batch {
                let drafts = batch.items.map { Batch.Draft(payload: Array($0.text.utf8), reference: $0.reference) }
                request = try SigningRequest(
                    user: user, payloads: .batch(drafts), reason: message.reason.utf8Span.span, level: message.level,
                    type: message.authenticatorType, audience: audience, isLevelZeroAllowed: true)
            } else {
                request = try SigningRequest(
                    user: user, payload: message.payload, reason: message.reason, level: message.level,
                    type: message.authenticatorType, audience: audience, isLevelZeroAllowed: true)
            }
        } catch {
            throw ServiceError.protocolViolation("what the service asks to sign cannot be signed: \(error.text)")
        }
        let life = min(max(0, (message.expiresAt ?? message.issuedAt) - message.issuedAt), Self.lifetime)
        let now = WallClock.milliseconds
        self.init(
            run: Run(
                id: message.id, generation: message.generation ?? 0, request: request, asker: Asker(session: session),
                issuedAt: now, expiresAt: now + life),
            method: method, attemptsLeft: attempts, status: status)
    }
}

extension StatementFilter {
    init(_ filter: StatementRow.Filter) {
        self.init()
        user = filter.userName
        since = filter.since
        until = filter.until
        keyID = filter.kid
        level = filter.level
        keyword = filter.keyword
    }
}

extension AuditFilter {
    init(_ filter: AuditRow.Filter) {
        self.init()
        event = filter.event
        user = filter.userName
        ceremony = filter.ceremony
        signatureID = filter.jti
        since = filter.since
        until = filter.until
        before = filter.before
    }
}

extension DeliveryFilter {
    init(_ filter: OutboxRow.Filter) {
        self.init()
        state = filter.state?.rawValue
        transport = filter.transport?.rawValue
        user = filter.userName
        notification = filter.notification
        since = filter.since
        until = filter.until
    }
}
