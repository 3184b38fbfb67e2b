package import CountersignVerifier
package import Notifications
package import Sessions
internal import Signing
internal import Storage

/// A push challenge, signed for one device (`docs/push.md`).
package struct SignedPushChallenge: Sendable {
    /// The notification that waits.
    package let notification: UUIDText
    /// The compact JWS.
    package let text: String
}

extension SigningEngine {
    /// Enrols the device that asks for push challenges, or takes its new token (rules K05, K12).
    ///
    /// - Throws: `tokenInvalid` where the session ended meanwhile; `scopeInsufficient` for whoever is no person.
    package func enrolForPush(_ token: PushToken, as session: Session) async throws {
        let (user, device) = try Self.holder(session)
        try await write { transaction in
            try transaction.checkAlive(session)
            let known = try PushTokenRow.find(device.text, on: transaction.connection)
            let row = PushTokenRow(device: device, token, at: transaction.now)
            guard
                known?.token != row.token || known?.transport != row.transport || known?.environment != row.environment
            else { return }
            try row.save(on: transaction.connection)
            try transaction.record(
                .pushEnrolled, user: user.text,
                detail: "device \(device.text), \(row.transport) \(row.environment)")
        }
    }

    /// Ends the enrolment of the device that asks (rule K18). The device stays what it is otherwise.
    ///
    /// - Throws: `pushNotEnrolled` where it has none (rule K20); what `enrolForPush` throws.
    package func endPushEnrolment(as session: Session) async throws {
        let (user, device) = try Self.holder(session)
        try await write { transaction in
            try transaction.checkAlive(session)
            guard try PushTokenRow.delete(device.text, on: transaction.connection) else {
                throw Refusal(.pushNotEnrolled)
            }
            try transaction.record(.pushEnded, user: user.text, detail: "device \(device.text)")
        }
    }

    /// The challenges that the device that asks has not received, oldest first (rule K38).
    ///
    /// - Throws: `pushNotEnrolled` (rules K01, K20); `noActiveKey`; `scopeInsufficient` for whoever is no person.
    package func pushChallenges(as session: Session) async throws -> [SignedPushChallenge] {
        let (user, device) = try Self.holder(session)
        let basis = try await basis()
        let waiting = try await database.read { connection in
            guard try PushTokenRow.find(device.text, on: connection) != nil else { throw Refusal(.pushNotEnrolled) }
            return try NotificationRow.undelivered(of: user.text, to: device.text, at: basis.time, on: connection)
        }
        return try waiting.map { try Self.challenge(for: $0, on: device, basis) }
    }

    /// The challenge for a notification on a device, signed now: what a transport carries.
    ///
    /// - Returns: nil where there is nothing to tell that device any more: the notification is over, the device is not active, or it
    ///   has received it.
    package func pushChallenge(for notification: UUIDText, on device: UUIDText) async throws -> SignedPushChallenge? {
        let basis = try await basis()
        let row = try await database.read { connection -> NotificationRow? in
            guard let holder = try DeviceRow.find(device.text, on: connection), holder.state == .active else {
                return nil
            }
            return try NotificationRow.undelivered(
                of: holder.userName, to: device.text, at: basis.time, on: connection
            ).first { $0.id == notification.text }
        }
        return try row.map { try Self.challenge(for: $0, on: device, basis) }
    }

    /// Notes that the device that asks has a notification. Once more changes nothing.
    ///
    /// - Throws: `notificationUnknown` for what was not sent to it, also another user's; what `enrolForPush` throws.
    package func receive(notification id: UUIDText, as session: Session) async throws {
        let (_, device) = try Self.holder(session)
        try await write { transaction in
            try transaction.checkAlive(session)
            guard
                try NotificationRow.receive(
                    id.text, on: device.text, at: transaction.now, on: transaction.connection)
            else { throw Refusal(.notificationUnknown) }
        }
    }

    private static func challenge(
        for row: NotificationRow, on device: UUIDText, _ basis: SigningBasis
    ) throws -> SignedPushChallenge {
        guard let key = basis.key else { throw Refusal(.noActiveKey) }
        guard let notification = UUIDText(row.id),
            let claims = PushClaims(
                issuer: basis.issuer, device: device, notification: notification, matter: row.matter.rawValue,
                until: row.expiresAt, at: basis.time, id: try newID())
        else { throw StorageError(.corrupt, "a notification has an id or an end that none can have") }
        return SignedPushChallenge(notification: notification, text: try claims.signed(by: key.half, keyID: key.id))
    }

    private static func holder(_ session: Session) throws(Refusal) -> (UserName, UUIDText) {
        guard case .person(let user) = session.owner, let device = session.device else {
            throw Refusal(.scopeInsufficient)
        }
        return (user, device)
    }
}

extension PushTokenRow {
    fileprivate init(device: UUIDText, _ token: PushToken, at now: Int64) {
        self.init(
            device: device.text, transport: token.transport.rawValue, environment: token.environment.rawValue,
            token: token.text, changedAt: now)
    }
}
