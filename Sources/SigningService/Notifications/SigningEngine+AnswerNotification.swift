package import CountersignVerifier
internal import Notifications
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Answers a notification on the session's device. An action of level 0 counts at once. Above that a signing begins, as by
    /// `start`, whose statement and the answer are one: both count, or neither does.
    ///
    /// - Throws: `notificationUnknown`, also for another user's (attack N4); `notificationProcessed`, `notificationExpired`,
    ///   `notificationWithoutActions`, `actionNotOffered`; `matchCodeWrong`, which counts where one was brought (attack D6);
    ///   `deviceNotAllowed` for a device on probation, and for one that the service itself did not ask (attacks D1, D2); what `start`
    ///   throws.
    package func answer(
        notification id: UUIDText, as session: Session, _ choice: NotificationChoice,
        once: Once<AnsweredNotification>? = nil
    ) async throws -> AnsweredNotification {
        guard case .person(let user) = session.owner, let device = session.device else {
            throw Refusal(.scopeInsufficient)
        }
        let ceremony = try Self.newID()
        let masterKey = masterKey
        let answered: Result<AnsweredNotification, Refusal> = try await write { transaction in
            try transaction.begin(once)
            try transaction.checkAlive(session)
            let (row, record) = try transaction.notification(id, where: session.owner.sees)
            try transaction.checkApprover(Asker(session: session.id, device: device), of: row)
            var notification = record.notification
            try choice.check(for: notification)
            let event = Notification.Event.choose(choice.action, device: device, code: choice.matchCode)
            let value: AnsweredNotification
            switch try notification.handle(event, at: transaction.now) {
            case .closed?:
                let closed = try transaction.close(row, notification, choice: choice)
                value = AnsweredNotification(record: closed, signing: nil)
            case .sign(let action)?:
                let signing = try transaction.request(action, of: record, row, user, language: choice.language)
                let challenge = try transaction.present(
                    signing, to: Asker(session: session.id, device: device), id: ceremony, authTime: session.authTime,
                    end: notification.expiresAt)
                value = AnsweredNotification(record: record, signing: SigningRecord(challenge))
            case .mismatched?:
                let refusal = Refusal(.matchCodeWrong, .codesLeft(notification.match?.left ?? 0))
                try transaction.noteMismatch(row, notification)
                try transaction.keep(refusal: refusal, once, masterKey)
                return .failure(refusal)
            case nil: value = AnsweredNotification(record: record, signing: nil)
            }
            try transaction.keep(value, once, masterKey)
            return .success(value)
        }
        return try answered.get()
    }
}

extension NotificationChoice {
    /// Refuses what makes no sense here: only whoever rejects a new device can say that it is not theirs.
    fileprivate func check(for notification: Notification) throws(Refusal) {
        if blocksActivations, !isNotMe { throw Refusal(.memberValue, .member("block")) }
        guard isNotMe else { return }
        guard case .activation = notification.matter, action == NotificationAction.reject else {
            throw Refusal(.memberValue, .member("not_me"))
        }
    }
}

extension Transaction {
    /// Refuses a device that may not approve.
    fileprivate func checkApprover(_ asker: Asker, of row: NotificationRow) throws {
        if let until = try probation(of: asker) { throw Refusal(.deviceNotAllowed, .probation(until: until)) }
        guard row.origin == .service, row.matter != .message, let device = asker.device else { return }
        // What the service itself asks is for those devices that it chose: not for one that joined since.
        guard try NotificationRow.isSent(row.id, to: device.text, on: connection) else {
            throw Refusal(.deviceNotAllowed)
        }
    }

    /// What is signed where this action is chosen.
    fileprivate func request(
        _ action: NotificationAction, of record: NotificationRecord, _ row: NotificationRow, _ user: UserName,
        language: String?
    ) throws -> SigningRequest {
        let notification = record.notification
        guard let body = notification.content.body(in: language) else {
            throw Refusal(.memberValue, .member("language"))
        }
        let answer = SignedAnswer(action, of: body, notification: notification.id)
        return try SigningRequest(
            user: user, payload: answer.payload, reason: answer.reason, level: action.level.rawValue,
            type: action.type.rawValue, audience: row.client,
            occasion: .notification(notification.id, action: action.name), isLevelZeroAllowed: false)
    }

    /// Records a wrong match code. With the last one the notification is over.
    fileprivate func noteMismatch(_ row: NotificationRow, _ notification: Notification) throws {
        try record(
            .matchCodeWrong, user: row.userName, result: .matchCodeWrong,
            detail: "notification \(row.id), codes left: \(notification.match?.left ?? 0)")
        guard !notification.state.status.isFinal else {
            try close(row, notification)
            return
        }
        var row = row
        row.take(notification)
        try row.update(on: connection)
    }
}
