internal import CountersignJOSE
internal import CountersignKeys
package import CountersignVerifier
package import Devices
package import Sessions
package import Signing
package import SigningService
package import Storage
package import Wire

// What the engine has, as the messages of API v1: the server answers with them, and the command prints them.

extension SigningMessage {
    /// A signing as it stands.
    package init(_ record: SigningRecord) {
        self.init(
            id: record.id, state: State(record.state), user: record.user.text, statusCode: record.status.rawValue,
            challengeMode: record.state == .challenged ? Challenge.mode : nil, generation: record.generation,
            method: record.method?.rawValue, attemptsLeft: record.attemptsLeft, payload: record.payload,
            reason: record.reason, level: record.level, authenticatorType: record.authenticatorType,
            issuedAt: record.issuedAt, expiresAt: record.expiresAt, result: record.result,
            batch: record.batch.map(BatchMessage.init))
    }
}

extension BatchMessage {
    /// A batch, by what the engine says of it.
    init(_ record: BatchRecord) {
        self.init(
            digest: record.digest,
            items: record.items.map { item in
                BatchItemMessage(
                    reference: item.reference, payload: item.result == nil ? item.payload : nil, result: item.result)
            })
    }
}

extension SigningMessage.State {
    fileprivate init(_ state: SigningRecord.State) {
        switch state {
        case .challenged: self = .challenged
        case .signed: self = .signed
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .expired: self = .expired
        }
    }
}

extension StatementMessage {
    /// A statement on record.
    package init(_ row: StatementRow) {
        self.init(
            signatureID: row.jti, user: row.userName, signedAt: row.issuedAt, payload: row.payload, reason: row.reason,
            level: row.level, authenticatorType: row.type, audience: row.audience, kid: row.kid,
            ceremony: row.ceremony, statement: row.text, reference: row.reference)
    }
}

extension AuditMessage {
    /// An entry of the audit.
    package init(_ row: AuditRow) {
        self.init(
            seq: row.seq, at: row.at, event: row.event, user: row.userName, ceremony: row.ceremony, jti: row.jti,
            digest: row.digest, length: row.length, level: row.level, type: row.type, method: row.method,
            result: row.result, detail: row.detail)
    }
}

extension DeliveryMessage {
    /// Something in the outbox.
    package init(_ row: OutboxRow) {
        self.init(
            id: row.id, transport: row.transport.rawValue, event: row.event, user: row.userName, device: row.device,
            notification: row.notification, status: row.status, state: row.state.rawValue, attempts: row.attempts,
            receipt: row.receipt, createdAt: row.createdAt, expiresAt: row.expiresAt,
            nextAt: row.state == .waiting ? row.nextAt : nil, endedAt: row.endedAt)
    }
}

extension UserMessage {
    /// A user.
    package init(_ user: User) {
        self.init(
            user: user.name.text, isLocked: user.isLocked, needsUnlock: user.needsOperator,
            blockedUntil: user.blockedUntil, wrongAnswers: user.wrongAnswers, createdAt: user.createdAt,
            passwordSetAt: user.passwordSetAt, activationsBlockedAt: user.activationsBlockedAt)
    }
}

extension ActivationCodeMessage {
    /// A code that was just made.
    package init(_ code: IssuedActivationCode) {
        self.init(user: code.user.text, code: code.code.text, expiresAt: code.expiresAt)
    }
}

extension KeyMessage {
    /// A key, without its private half.
    package init(_ key: SigningKey) {
        self.init(
            kid: key.id, algorithm: key.key.algorithm.rawValue, isRoot: key.purpose == .root, state: key.state.rawValue,
            hasPrivateHalf: key.hasPrivateHalf, publishedAt: key.publishedAt, activatedAt: key.activatedAt,
            retiredAt: key.retiredAt, revokedAt: key.revokedAt, revocation: key.revocation)
    }
}

extension StatusMessage {
    /// The store at a glance.
    package init(_ status: StoreStatus) {
        self.init(
            id: status.facts.id, issuer: status.facts.issuer, signingKey: status.activeKey, rootKey: status.rootKey,
            holdsRootKey: status.holdsRootKey, users: status.users, statements: status.statements,
            openCeremonies: status.openCeremonies, auditRows: status.auditRows, createdAt: status.facts.createdAt,
            newestTime: status.newestTime)
    }
}

extension ClientMessage {
    /// A relying service; its secret only when it was just made.
    package init(_ client: Client, secret: SessionToken? = nil) {
        self.init(
            client: client.name.text, isLocked: client.isLocked, credential: client.key == nil ? "secret" : "key",
            thumbprint: client.key.map { Thumbprint.sha256(of: $0) }, createdAt: client.createdAt, secret: secret?.text)
    }
}

extension SessionMessage {
    /// A session, and whether it is the one that asks.
    package init(_ info: SessionInfo, current: UUIDText? = nil) {
        let session = info.session
        self.init(
            id: session.id.text, device: session.device?.text, deviceName: info.deviceName,
            createdAt: session.createdAt, lastUsedAt: session.lastUsedAt, expiresAt: session.expiresAt,
            isCurrent: session.id == current)
    }
}

extension DeviceMessage {
    /// A device.
    package init(_ device: Device) {
        self.init(
            id: device.id.text, name: device.name, state: device.state.rawValue, isCurrent: device.isCurrent,
            thumbprint: device.thumbprint, createdAt: device.createdAt, activatedAt: device.activatedAt,
            lastAccessAt: device.lastAccessAt, blockedAt: device.blockedAt, probationUntil: device.probationUntil)
    }
}

extension DeviceListMessage {
    /// Devices as they are.
    package init(_ list: DeviceList) {
        self.init(list.devices.map(DeviceMessage.init), coolingOffUntil: list.coolingOffUntil)
    }

    /// Devices after they were changed.
    package init(changed list: DeviceList) {
        self.init(changed: list.devices.map(DeviceMessage.init), coolingOffUntil: list.coolingOffUntil)
    }
}

extension DeviceUpdate {
    /// The update that a message asks for.
    ///
    /// - Throws: what is wrong with it.
    package init(_ message: DeviceUpdateMessage) throws(Refusal) {
        guard let device = UUIDText(message.device) else { throw Refusal(.deviceUnknown) }
        try self.init(device: device, operation: message.operation, name: message.name)
    }
}
