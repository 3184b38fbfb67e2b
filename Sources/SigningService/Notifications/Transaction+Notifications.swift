internal import CountersignVerifier
internal import Notifications
internal import Sessions
internal import Signing
internal import Storage

extension Transaction {
    /// How many notifications may wait for one person (attack D6): a flood is refused, and what is there can be read in one go.
    static let pendingLimit = 100
    /// How many of them one relying service may have asked for, so that it leaves places to others.
    static let shareLimit = 20

    /// Tells or asks a person something. What the service tells of a change is recorded with the change.
    ///
    /// - Parameters:
    ///   - id: new.
    ///   - devices: those that it is sent to; nil: all that are active.
    /// - Throws: `tooManyOpen` where too much waits for them already, unless the service itself asks; `notificationMalformed`.
    @discardableResult
    func notify(
        _ user: UserName, _ draft: NotificationDraft, from origin: NotificationRecord.Origin, id: UUIDText,
        on devices: [DeviceRow]? = nil
    ) throws -> NotificationRecord {
        let notification = try Notification(
            id: id, user: user, content: draft.content, matter: draft.matter, match: draft.match, at: now,
            life: draft.life)
        if let enterprise = draft.enterprise { try EnterpriseName.check(enterprise) }
        try expireNotifications(of: user)
        if origin != .service, draft.matter == .message { try checkRoom(for: user, origin) }
        let row = NotificationRow(notification, origin, enterprise: draft.enterprise)
        let devices =
            try devices ?? DeviceRow.list(userName: user.text, on: connection).filter { $0.state == .active }
        try row.insert(
            searched: FoldedText(draft.content.searched), devices: devices.map(\.id), on: connection)
        changed.add(.person(user))
        try push(notification, to: devices)
        try tellWebhook(.notificationMade, about: notification)
        if origin != .service {
            try record(
                .notificationMade, user: user.text,
                detail: "notification \(id.text), by \(row.client ?? "an operator")")
        }
        return try row.record()
    }

    /// Refuses one more than may wait.
    private func checkRoom(for user: UserName, _ origin: NotificationRecord.Origin) throws {
        if case .client(let client) = origin {
            let count = try NotificationRow.countPending(of: user.text, client: client.text, on: connection)
            guard count < Self.shareLimit else { throw Refusal(.tooManyOpen, .limit(Self.shareLimit)) }
        }
        let count = try NotificationRow.countPending(of: user.text, on: connection)
        guard count < Self.pendingLimit else { throw Refusal(.tooManyOpen, .limit(Self.pendingLimit)) }
    }

    /// The notification with this id, where `isTheirs`.
    ///
    /// - Throws: `notificationUnknown`, also where it is not theirs (attack N4).
    func notification(
        _ id: UUIDText, where isTheirs: (NotificationRow) -> Bool
    ) throws -> (NotificationRow, NotificationRecord) {
        guard let row = try NotificationRow.find(id.text, on: connection), isTheirs(row) else {
            throw Refusal(.notificationUnknown)
        }
        return (row, try row.record())
    }

    /// Writes that a notification is over, ends the signings that were to answer it, but for one, and tells what it is about.
    ///
    /// - Parameter actor: who withdrew or dismissed it, for the audit; nil: the service itself.
    @discardableResult
    func close(
        _ row: NotificationRow, _ notification: Notification, signing: UUIDText? = nil, by actor: String? = nil,
        choice: NotificationChoice? = nil
    ) throws -> NotificationRecord {
        var row = row
        row.take(notification)
        try row.update(on: connection)
        if notification.state.status.isFinal { try tellWebhook(.notificationEnded, about: notification) }
        let detail = "notification \(row.id)"
        let by = actor.map { ", by \($0)" } ?? ", by the service itself"
        switch notification.state {
        case .pending: break
        case .updated(let answer):
            try record(
                .notificationAnswered, user: row.userName, jti: answer.signature?.text,
                detail: "\(detail), \(answer.action), device \(answer.device.text)")
        case .expired:
            try record(.notificationExpired, user: row.userName, result: .notificationExpired, detail: detail)
        case .discarded: try record(.notificationWithdrawn, user: row.userName, detail: detail + by)
        case .dismissed: try record(.notificationDismissed, user: row.userName, detail: detail + by)
        }
        for open in try CeremonyRow.listOpen(notification: row.id, on: connection) where open.id != signing?.text {
            try reset(Ceremony(open, attemptsLeft: 0), open)
        }
        try settleMatter(of: notification, choice)
        return try row.record()
    }

    /// Closes what nobody of a user answered in time.
    func expireNotifications(of user: UserName) throws {
        for row in try NotificationRow.overdue(of: user.text, at: now, on: connection) {
            var notification = try row.record().notification
            guard case .closed? = try notification.handle(.expire, at: now) else { continue }
            try close(row, notification)
        }
    }

    /// Closes all that somebody was asked: in a restored store an answer may have been given since (R6).
    func dismissQuestions() throws {
        try cancelRequests()
        for row in try NotificationRow.listQuestions(on: connection) {
            var notification = try row.record().notification
            if try notification.handle(.expire, at: now) == nil { _ = try notification.handle(.dismiss, at: now) }
            try close(row, notification)
        }
    }

    // MARK: The signing of an answer

    /// Why a signing must not go on that is to answer a notification: what became of that. Nil where it may.
    func objection(to run: Run) throws -> Refusal? {
        guard let (id, action) = run.request.occasion?.answered else { return nil }
        guard let row = try NotificationRow.find(id.text, on: connection) else { return Refusal(.notificationUnknown) }
        let notification = try row.record().notification
        do throws(Refusal) {
            try notification.checkOffered(action, at: now)
            return nil
        } catch {
            return error
        }
    }

    /// Why a signing came to nothing: where it ended together with its notification, what became of that.
    func reason(for refusal: Refusal, _ run: Run) throws -> Refusal {
        guard refusal.code == .cancelled || refusal.code == .challengeExpired else { return refusal }
        return try objection(to: run) ?? refusal
    }

    /// The part of commit C that belongs to a notification: it is answered together with the statement, or nothing is.
    ///
    /// - Throws: what became of the notification meanwhile; nothing has changed then.
    func answer(_ run: Run, by signature: UUIDText) throws {
        guard let (id, action) = run.request.occasion?.answered, let device = run.asker.device else { return }
        let (row, record) = try notification(id) { $0.userName == run.request.user.text }
        var notification = record.notification
        _ = try notification.handle(.signed(action, device: device, signature: signature), at: now)
        try close(row, notification, signing: run.id)
    }

    /// Notes that whoever wanted to answer could not authenticate. It still waits.
    func noteFailure(_ run: Run) throws {
        guard let answered = run.request.occasion?.answered,
            var row = try NotificationRow.find(answered.notification.text, on: connection), row.status == .pending
        else { return }
        row.signing = .failed
        try row.update(on: connection)
    }
}
