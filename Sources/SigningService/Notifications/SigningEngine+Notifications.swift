package import CountersignVerifier
package import Notifications
package import Sessions
internal import Signing
package import Storage

extension SigningEngine {
    /// Tells or asks a person something, for a relying service or an operator.
    ///
    /// - Throws: `notificationMalformed`, `tooManyOpen`. For an operator `userUnknown` or `userLocked`; a relying service does not
    ///   learn which users there are: `authenticationFailed`, as for a signing. `scopeInsufficient` for persons.
    package func notify(
        _ user: UserName, _ draft: NotificationDraft, as owner: Session.Owner, once: Once<NotificationRecord>? = nil
    ) async throws -> NotificationRecord {
        let origin: NotificationRecord.Origin
        switch owner {
        case .person: throw Refusal(.scopeInsufficient)
        case .service(let client): origin = .client(client)
        case .operator: origin = .operator
        }
        let id = try Self.newID()
        return try await write(once) { transaction in
            let isActive = try UserRow.isActive(user.text, on: transaction.connection)
            switch owner {
            case .service where !isActive: throw Refusal(.authenticationFailed)
            case .operator where !isActive:
                let isKnown = try UserRow.find(user.text, on: transaction.connection) != nil
                throw Refusal(isKnown ? .userLocked : .userUnknown)
            default: break
            }
            return try transaction.notify(user, draft, from: origin, id: id)
        }
    }

    /// A notification as it stands now.
    ///
    /// - Throws: `notificationUnknown`, also for another user's or another service's (attack N4).
    package func notification(_ id: UUIDText, as owner: Session.Owner) async throws -> NotificationRecord {
        let clock = clock
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            let record = try transaction.notification(id, where: owner.sees).1
            var notification = record.notification
            // Nobody has looked since it ended, so the row does not say so yet.
            _ = try notification.handle(.expire, at: transaction.now)
            return NotificationRecord(
                notification: notification, origin: record.origin, enterprise: record.enterprise,
                signing: record.signing)
        }
    }

    /// What waits for a person, newest first (rules A15-A24), as far as one answer goes.
    package func notifications(
        of user: UserName, _ period: Period, _ range: RecordRange
    ) async throws -> Portion<NotificationRecord> {
        let clock = clock
        return try await database.read { connection in
            let now = try Transaction(connection, clock: clock).now
            return try NotificationRow.pending(
                of: user.text, at: now, since: period.since, until: period.until, page: range.page, on: connection
            ).mapped { try $0.record() }
        }
    }

    /// What became of a person's notifications, newest first (rules H01-H24), as far as one answer goes.
    package func notificationHistory(
        of user: UserName, _ filter: HistoryFilter, _ range: RecordRange
    ) async throws -> Portion<NotificationRecord> {
        let clock = clock
        // What ended since somebody looked belongs to it too (rule O34).
        let isDue = try await database.read { connection in
            let now = try Transaction(connection, clock: clock).now
            return try !NotificationRow.overdue(of: user.text, at: now, on: connection).isEmpty
        }
        if isDue { try await write { try $0.expireNotifications(of: user) } }
        return try await database.read { connection in
            try NotificationRow.history(of: user.text, filter.row, page: range.page, on: connection)
                .mapped { try $0.record() }
        }
    }

    /// Withdraws a notification, for whoever asked (rule O19). Harmless where it is withdrawn already.
    ///
    /// - Throws: `notificationUnknown` for whoever may not see it; `scopeInsufficient` for an operator who did not ask, and for the
    ///   question of a signing request, which is cancelled itself; `notificationProcessed`, `notificationExpired`.
    package func withdraw(notification id: UUIDText, as session: Session) async throws {
        try await write { transaction in
            _ = try transaction.end(id, .withdraw, as: session) { row in
                row.matter == .message && (session.owner != .operator || row.origin == .operator)
            }
        }
    }

    /// Closes a notification without an answer, for its person or an operator (rule O19). Harmless where it is closed so already.
    ///
    /// What the service tells of a device is not for that device to put away: only one that it was sent to may.
    ///
    /// - Throws: `notificationUnknown` for another user's; `notificationProcessed`, `notificationExpired`; `scopeInsufficient` for a
    ///   device that it was not sent to; `tokenInvalid` where the session ended meanwhile.
    @discardableResult
    package func dismiss(
        notification id: UUIDText, as session: Session, once: Once<NotificationRecord>? = nil
    ) async throws -> NotificationRecord {
        try await write(once) { transaction in
            try transaction.checkAlive(session)
            return try transaction.end(id, .dismiss, as: session) { row in
                guard row.origin == .service, let device = session.device else { return true }
                return try NotificationRow.isSent(row.id, to: device.text, on: transaction.connection)
            }
        }
    }
}

extension Transaction {
    fileprivate func end(
        _ id: UUIDText, _ event: Notification.Event, as session: Session,
        if mayEnd: (NotificationRow) throws -> Bool
    ) throws -> NotificationRecord {
        let (row, record) = try notification(id, where: session.owner.sees)
        guard try mayEnd(row) else { throw Refusal(.scopeInsufficient) }
        var notification = record.notification
        guard case .closed? = try notification.handle(event, at: now) else { return record }
        return try close(row, notification, by: session.auditName)
    }
}

extension Session {
    /// Who acts, as the audit says it: ids and the names of relying services only.
    fileprivate var auditName: String {
        switch (owner, device) {
        case (.service(let client), _): "service \(client.text)"
        case (_, let device?): "device \(device.text)"
        case (_, nil): "operator session \(id.text)"
        }
    }
}

extension Session.Owner {
    /// Whether a notification is theirs to see: a person's own, those that a service asked for, an operator's all.
    func sees(_ row: NotificationRow) -> Bool {
        switch self {
        case .person(let name): row.userName.utf8.elementsEqual(name.text.utf8)
        case .service(let name): row.client.map { $0.utf8.elementsEqual(name.text.utf8) } ?? false
        case .operator: true
        }
    }
}

extension RecordRange {
    /// The page of the store; never more than that has.
    fileprivate var page: Page { Page(startIndex: startIndex, count: count(limit: Page.limit)) ?? .first }
}

extension HistoryFilter {
    fileprivate var row: NotificationRow.Filter {
        NotificationRow.Filter(
            status: status.flatMap { NotificationRow.Status(rawValue: $0.rawValue) }, action: action, keyword: keyword,
            device: device?.text, since: period?.since, until: period?.until, enterprise: enterprise)
    }
}
