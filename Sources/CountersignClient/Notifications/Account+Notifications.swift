internal import CountersignJOSE
internal import CountersignVerifier
package import Notifications
internal import Signing
internal import Wire

extension Account {
    /// What waits for the account's owner, newest first.
    ///
    /// - Parameters:
    ///   - from: Made on this day of UTC or after: `YYYY-MM-DD`.
    ///   - to: Made on this day of UTC or before.
    ///   - startIndex: The first, from 1.
    ///   - count: How many at most; 0: all.
    public func notifications(
        from: String? = nil, to: String? = nil, startIndex: Int = 1, count: Int = 0
    ) async throws(ServiceError) -> [NotificationRecord] {
        try await records("/v1/notifications", [("from", from), ("to", to)], startIndex: startIndex, count: count)
    }

    /// What became of notifications to the account's owner, the last change first.
    ///
    /// - Parameters:
    ///   - startIndex: The first, from 1.
    ///   - count: How many at most; 0: all.
    public func notificationHistory(
        _ filter: NotificationFilter = NotificationFilter(), startIndex: Int = 1, count: Int = 10
    ) async throws(ServiceError) -> [NotificationRecord] {
        try await records(
            "/v1/notifications/history",
            [
                ("status", filter.status), ("action", filter.action), ("keyword", filter.keyword),
                ("device", filter.device), ("from", filter.from), ("to", filter.to),
                ("enterprise", filter.enterprise),
            ], startIndex: startIndex, count: count)
    }

    /// A notification as it stands.
    ///
    /// - Throws: `refused` with 1700 for another user's too.
    public func notification(_ id: String) async throws(ServiceError) -> NotificationRecord {
        let message: NotificationMessage = try await connection.message(
            .get("/v1/notifications/\(Call.segment(id))"), as: authorizer)
        try message.check(id)
        return NotificationRecord(message)
    }

    /// Chooses an action on this device. One with a level is signed: the answer's ``NotificationAnswer/signing`` then has to be
    /// answered with the password. What that signs is what the notification says, or it is refused here.
    ///
    /// - Parameters:
    ///   - notification: As the person read it.
    ///   - action: The value of one of its actions.
    ///   - language: In which the person read it; nil: the first.
    ///   - matchCode: The two digits that are shown where this was asked, for an approval that needs them.
    /// - Throws: `refused` with 1701 where it was answered or closed meanwhile, 1702 where it has expired, 1704 for an action that it
    ///   does not offer, 1613 for a match code that is missing or wrong: after three wrong ones the question is over.
    public func answer(
        _ notification: NotificationRecord, action: String, language: String? = nil, matchCode: String? = nil
    ) async throws(ServiceError) -> NotificationAnswer {
        try await answer(
            notification, AnswerNotification(action: action, language: language, matchCode: matchCode))
    }

    /// Rejects a new device that the person did not bring: all of their devices are warned.
    ///
    /// - Parameters:
    ///   - question: The question about the device.
    ///   - blocks: Whether, from now on, none of their devices is asked about new ones, until the operator lifts it.
    /// - Throws: as ``answer(_:action:language:matchCode:)``; `refused` with 1803 for another notification.
    public func disown(
        _ question: NotificationRecord, blocks: Bool = false
    ) async throws(ServiceError) -> NotificationAnswer {
        try await answer(
            question,
            AnswerNotification(action: NotificationAction.reject, isNotMe: true, blocksActivations: blocks))
    }

    private func answer(
        _ notification: NotificationRecord, _ answer: AnswerNotification
    ) async throws(ServiceError) -> NotificationAnswer {
        let (action, language) = (answer.action, answer.language)
        let message: NotificationAnswerMessage = try await connection.message(
            .post("/v1/notifications/\(Call.segment(notification.id))/answer", answer), as: authorizer)
        try message.notification.check(notification.id)
        guard let signing = message.signing else {
            guard message.notification.actionPerformed?.hasSameUTF8(as: action) == true else {
                throw .protocolViolation("the service took another answer than the one that was given")
            }
            return NotificationAnswer(notification: NotificationRecord(message.notification), signing: nil)
        }
        let expected = try notification.signedAnswer(action, language: language)
        guard signing.payload.hasSameUTF8(as: expected.payload), signing.reason.hasSameUTF8(as: expected.reason),
            signing.user.hasSameUTF8(as: notification.user),
            signing.level == notification.actions.first(where: { $0.value.hasSameUTF8(as: action) })?.level
        else { throw .protocolViolation("the service signs something else than what the notification says") }
        try signing.check()
        return NotificationAnswer(
            notification: NotificationRecord(message.notification), signing: SigningFlow(signing, of: self))
    }

    /// Closes a notification without an answer.
    public func dismissNotification(_ id: String) async throws(ServiceError) {
        try await connection.done(.post("/v1/notifications/\(Call.segment(id))/dismiss"), as: authorizer)
    }

    private func records(
        _ path: String, _ filter: [(name: String, value: String?)], startIndex: Int, count: Int
    ) async throws(ServiceError) -> [NotificationRecord] {
        var records: [NotificationRecord] = []
        var index = startIndex
        while true {
            let wanted = count <= 0 ? count : count - records.count
            let range: [(name: String, value: String?)] = [
                ("startIndex", String(index)), ("count", String(wanted)),
            ]
            let page: ListMessage<NotificationMessage> = try await connection.message(
                .get(path, query: filter + range), as: authorizer)
            // What came to its end meanwhile has moved the others down.
            let known = Set(records.suffix(ListMessage<NotificationMessage>.maxElements).map(\.id))
            records += page.elements.map(NotificationRecord.init).filter { !known.contains($0.id) }
            guard let next = page.next, count <= 0 || records.count < count else { return records }
            guard next > index else { throw .protocolViolation("the service's list goes on where it began") }
            index = next
        }
    }
}

extension NotificationRecord {
    /// What the service signs where this action is chosen.
    ///
    /// - Throws: `refused` with 1704 for an action that is not offered, 1803 for another language than it has.
    package func signedAnswer(_ action: String, language: String?) throws(ServiceError) -> SignedAnswer {
        let content: NotificationContent
        do throws(Refusal) { content = try NotificationContent(message.bodies, message.actions) } catch {
            throw .protocolViolation("the service's notification cannot be read: \(error.text)")
        }
        guard let id = UUIDText(id) else { throw .protocolViolation("the service's notification has no id") }
        guard let action = content.action(action) else { throw ServiceError(Refusal(.actionNotOffered)) }
        if let request = message.request, action.name == NotificationAction.accept {
            return SignedAnswer(accepting: request.payload, reason: request.reason)
        }
        guard let body = content.body(in: language) else {
            throw ServiceError(Refusal(.memberValue, .member("language")))
        }
        return SignedAnswer(action, of: body, notification: id)
    }
}

extension NotificationMessage {
    /// Whether it is the one that was asked for.
    func check(_ id: String) throws(ServiceError) {
        guard self.id.hasSameUTF8(as: id) else {
            throw .protocolViolation("the service answered for another notification")
        }
    }
}
