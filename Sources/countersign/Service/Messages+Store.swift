import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Sessions
import SigningService
import Storage
import Wire

// What a store has, as the messages in which a service tells it: both are printed by the same code.

extension StatementMessage {
    init(_ row: StatementRow) {
        self.init(
            signatureID: row.jti, user: row.userName, signedAt: row.issuedAt, payload: row.payload, reason: row.reason,
            level: row.level, authenticatorType: row.type, audience: row.audience, kid: row.kid,
            ceremony: row.ceremony, statement: row.text)
    }
}

extension AuditMessage {
    init(_ row: AuditRow) {
        self.init(
            seq: row.seq, at: row.at, event: row.event, user: row.userName, ceremony: row.ceremony, jti: row.jti,
            digest: row.digest, length: row.length, level: row.level, type: row.type, method: row.method,
            result: row.result, detail: row.detail)
    }
}

extension UserMessage {
    init(_ user: User) {
        self.init(
            user: user.name.text, isLocked: user.isLocked, needsUnlock: user.needsOperator,
            blockedUntil: user.blockedUntil, wrongAnswers: user.wrongAnswers, createdAt: user.createdAt,
            passwordSetAt: user.passwordSetAt)
    }
}

extension KeyMessage {
    init(_ key: SigningKey) {
        self.init(
            kid: key.id, algorithm: key.key.algorithm.rawValue, isRoot: key.purpose == .root,
            state: key.state.rawValue, hasPrivateHalf: key.hasPrivateHalf, publishedAt: key.publishedAt,
            activatedAt: key.activatedAt, retiredAt: key.retiredAt, revokedAt: key.revokedAt,
            revocation: key.revocation)
    }
}

extension StatusMessage {
    init(_ status: StoreStatus) {
        self.init(
            id: status.facts.id, issuer: status.facts.issuer, signingKey: status.activeKey, rootKey: status.rootKey,
            holdsRootKey: status.holdsRootKey, users: status.users, statements: status.statements,
            openCeremonies: status.openCeremonies, auditRows: status.auditRows, createdAt: status.facts.createdAt,
            newestTime: status.newestTime)
    }
}

extension SessionMessage {
    init(_ info: SessionInfo) {
        let session = info.session
        self.init(
            id: session.id.text, device: session.device?.text, deviceName: info.deviceName,
            createdAt: session.createdAt, lastUsedAt: session.lastUsedAt, expiresAt: session.expiresAt,
            isCurrent: false)
    }
}

extension ClientMessage {
    init(_ client: Client, secret: String?) {
        self.init(
            client: client.name.text, isLocked: client.isLocked, credential: client.key == nil ? "secret" : "key",
            thumbprint: client.key.map { Thumbprint.sha256(of: $0) }, createdAt: client.createdAt, secret: secret)
    }
}
