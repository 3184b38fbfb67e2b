internal import CountersignKeys
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
        let asker = Asker(session: session.id, device: device)
        let ceremony = try Self.newID()
        let masterKey = masterKey
        do {
            return try await begin(id, as: session, asker, choice, user, once, ceremony, masterKey)
        } catch let unauthenticated as Unauthenticated {
            return try await accept(unauthenticated.request, id, as: session, asker, choice, once)
        }
    }

    /// Everything but what needs no authentication and is signed all the same.
    private func begin(
        _ id: UUIDText, as session: Session, _ asker: Asker, _ choice: NotificationChoice, _ user: UserName,
        _ once: Once<AnsweredNotification>?, _ ceremony: UUIDText, _ masterKey: AEADKey
    ) async throws -> AnsweredNotification {
        let answered: Result<AnsweredNotification, Refusal> = try await write { transaction in
            try transaction.begin(once)
            let (row, record, notification, effect) = try transaction.choose(choice, of: id, as: session, asker)
            let value: AnsweredNotification
            switch effect {
            case .closed?:
                let closed = try transaction.close(row, notification, choice: choice)
                value = AnsweredNotification(record: closed, signing: nil)
            case .sign(let action)?:
                let signing = try transaction.request(action, of: notification, row, user, language: choice.language)
                guard signing.authentication != .none else { throw Unauthenticated(request: signing) }
                let challenge = try transaction.present(
                    signing, to: asker, id: ceremony, authTime: session.authTime, end: notification.expiresAt)
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

    /// Accepts a signing request of level 0: the statement is signed in memory, then all of it is one commit.
    private func accept(
        _ request: SigningRequest, _ id: UUIDText, as session: Session, _ asker: Asker, _ choice: NotificationChoice,
        _ once: Once<AnsweredNotification>?
    ) async throws -> AnsweredNotification {
        let run = try Self.newID()
        while true {
            let basis = try await basis()
            var ceremony = Ceremony()
            let standing = Standing(asker: asker, available: [], attemptsLeft: 0)
            guard case .sign(let order) = try ceremony.handle(.start(request, standing, id: run), at: basis.time).last
            else { throw Refusal(.noChallenge) }
            let draft = try await draft(order, on: basis, at: basis.time)
            do {
                return try await write(once) { [ceremony] transaction in
                    let (_, _, _, effect) = try transaction.choose(choice, of: id, as: session, asker)
                    guard case .sign? = effect else { throw Refusal(.notificationProcessed) }
                    try transaction.checkStepUp(session.authTime)
                    try transaction.consume(ceremony, order, draft)
                    try transaction.answer(order.run, by: draft.id)
                    return AnsweredNotification(
                        record: try transaction.notification(id, where: session.owner.sees).1,
                        signing: SigningRecord(order.run, try draft.results()))
                }
            } catch is BasisChanged {
                continue
            }
        }
    }
}

/// What is to be signed needs no authentication, so there is nothing to wait for.
private struct Unauthenticated: Error {
    let request: SigningRequest
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
    /// Lets a session choose; nothing is recorded yet.
    fileprivate func choose(
        _ choice: NotificationChoice, of id: UUIDText, as session: Session, _ asker: Asker
    ) throws -> (NotificationRow, NotificationRecord, Notification, Notification.Effect?) {
        try checkAlive(session)
        let (row, record) = try notification(id, where: session.owner.sees)
        try checkApprover(asker, of: row)
        var notification = record.notification
        try choice.check(for: notification)
        guard let device = asker.device else { throw Refusal(.scopeInsufficient) }
        let effect = try notification.handle(
            .choose(choice.action, device: device, code: choice.matchCode), at: now)
        return (row, record, notification, effect)
    }

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
        _ action: NotificationAction, of notification: Notification, _ row: NotificationRow, _ user: UserName,
        language: String?
    ) throws -> SigningRequest {
        if case .request(let asked) = notification.matter {
            return try SigningRequest(
                user: user, payload: asked.payload, reason: asked.reason, level: asked.level, type: asked.type,
                audience: asked.asker,
                occasion: .request(
                    asked.id, asked.quorum, notification: notification.id, action: action.name),
                isLevelZeroAllowed: settings().isLevelZeroAllowed)
        }
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
