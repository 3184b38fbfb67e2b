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
    let reason: String

    init(payload: [UInt8], reason: [UInt8], level: Int, type: Int, audience: String?) throws {
        guard audience == nil else {
            throw Failure(
                .refusedInput,
                "the audience of what a service signs is the relying service that asks; leave --audience away"
            )
        }
        // Whether level 0 is allowed is for the service to say.
        _ = try Matrix.cell(level: level, type: type)
        self.payload = try SigningText(payload.span, as: .payload).text
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
            request = try SigningRequest(
                user: user, payload: message.payload, reason: message.reason, level: message.level,
                type: message.authenticatorType, audience: audience, isLevelZeroAllowed: true)
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
