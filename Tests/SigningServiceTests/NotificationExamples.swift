import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

extension TestStore {
    /// What is to be accepted with a signature and rejected without.
    static func question(
        _ subject: String = "Transfer", message: String = "Pay 5.00 EUR to Bob?", level: Int = 1, life: Int64? = nil,
        enterprise: String? = nil
    ) throws -> NotificationDraft {
        let body = try NotificationBody(
            language: "en", subject: subject, message: message, labels: ["Accept": "Approve", "Reject": "Decline"])
        let content = try NotificationContent(
            bodies: [body],
            actions: [NotificationAction(name: "Accept", level: level), NotificationAction(name: "Reject", level: 0)])
        return NotificationDraft(content: content, life: life, enterprise: enterprise)
    }

    /// Asks somebody as the operator.
    func ask(
        _ draft: NotificationDraft? = nil, _ name: String = "alice", as owner: Session.Owner = .operator
    ) async throws -> UUIDText {
        try await engine.notify(Self.user(name), draft ?? Self.question(), as: owner).notification.id
    }

    /// A notification as the operator sees it.
    func state(_ id: UUIDText) async throws -> Notifications.Notification.State {
        try await engine.notification(id, as: .operator).notification.state
    }

    /// Chooses an action, and answers the challenge where there is one.
    ///
    /// - Returns: the signature's id, where one was made.
    @discardableResult
    func choose(
        _ action: String, of id: UUIDText, _ person: Person, engine: SigningEngine? = nil
    ) async throws -> String? {
        let engine = engine ?? self.engine
        let answered = try await engine.answer(notification: id, as: person.session, action: action)
        guard let signing = answered.signing else { return nil }
        return try await answer(signing.id, person.session, engine: engine).result?.signatureID
    }

    /// The history as ids, newest first.
    func history(
        _ filter: HistoryFilter = HistoryFilter(), from startIndex: Int = 1, count: Int = 0, _ name: String = "alice"
    ) async throws -> [UUIDText] {
        let range = try RecordRange(startIndex: startIndex, count: count)
        return try await engine.notificationHistory(of: Self.user(name), filter, range).map(\.notification.id)
    }

    /// What waits, as ids, newest first.
    func inbox(_ name: String = "alice") async throws -> [UUIDText] {
        try await engine.notifications(of: Self.user(name), Period(), RecordRange(startIndex: 1, count: 0))
            .map(\.notification.id)
    }
}

extension SigningEngine {
    /// Answers a notification that needs no match code.
    func answer(
        notification id: UUIDText, as session: Session, action: String, language: String? = nil
    ) async throws -> AnsweredNotification {
        try await answer(notification: id, as: session, NotificationChoice(action: action, language: language))
    }
}
