package import CountersignVerifier
internal import Notifications
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Answers a notification on the session's device. An action of level 0 counts at once. Above that a signing begins, as by
    /// `start`, whose statement and the answer are one: both count, or neither does.
    ///
    /// - Parameter language: that in which the person read it, which is what is signed; nil: the first.
    /// - Throws: `notificationUnknown`, also for another user's (attack N4); `notificationProcessed`, `notificationExpired`,
    ///   `notificationWithoutActions`, `actionNotOffered`; `deviceNotAllowed` for a device on probation; what `start` throws.
    package func answer(
        notification id: UUIDText, as session: Session, action name: String, language: String? = nil,
        once: Once<AnsweredNotification>? = nil
    ) async throws -> AnsweredNotification {
        guard case .person(let user) = session.owner, let device = session.device else {
            throw Refusal(.scopeInsufficient)
        }
        let ceremony = try Self.newID()
        return try await write(once) { transaction in
            try transaction.checkAlive(session)
            let (row, record) = try transaction.notification(id, where: session.owner.sees)
            let asker = Asker(session: session.id, device: device)
            if let until = try transaction.probation(of: asker) {
                throw Refusal(.deviceNotAllowed, .probation(until: until))
            }
            var notification = record.notification
            switch try notification.handle(.choose(name, device: device), at: transaction.now) {
            case .closed?:
                return AnsweredNotification(record: try transaction.close(row, notification), signing: nil)
            case .sign(let action)?:
                guard let body = notification.content.body(in: language) else {
                    throw Refusal(.memberValue, .member("language"))
                }
                let answer = SignedAnswer(action, of: body, notification: id)
                let request = try SigningRequest(
                    user: user, payload: answer.payload, reason: answer.reason, level: action.level.rawValue,
                    type: action.type.rawValue, audience: row.client,
                    occasion: .notification(id, action: action.name), isLevelZeroAllowed: false)
                let challenge = try transaction.present(request, to: asker, id: ceremony, authTime: session.authTime)
                return AnsweredNotification(record: record, signing: SigningRecord(challenge))
            case nil: return AnsweredNotification(record: record, signing: nil)
            }
        }
    }
}
