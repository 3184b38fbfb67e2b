package import CountersignVerifier
package import Notifications
package import Sessions
internal import Signing
internal import Storage

/// What became of a notification, and when.
package struct NotificationChange: Sendable, Hashable {
    /// The notification.
    package let id: UUIDText
    /// What it is now.
    package let status: Notification.Status
    /// Milliseconds since 1970.
    package let at: Int64
}

/// Up to where somebody was told of a person's notifications.
package struct NewsMark: Sendable, Hashable {
    /// The newest that was told, in milliseconds since 1970.
    package let at: Int64
    /// What was told of that very millisecond.
    let told: Set<NotificationChange>

    /// Everything before a time was told.
    package init(at: Int64) { self.init(at: at, told: []) }

    fileprivate init(at: Int64, told: Set<NotificationChange>) {
        self.at = at
        self.told = told
    }
}

/// What became of a person's notifications since somebody was told.
package struct News: Sendable {
    /// Oldest first.
    package let changes: [NotificationChange]
    /// Up to where they are told.
    package let mark: NewsMark
    /// When the first of those that wait is over, in milliseconds since 1970; nil where none waits.
    package let nextEnd: Int64?
}

extension SigningEngine {
    /// What became of the notifications of a session's person since a mark, oldest first, a thousand at most; without a mark, what waits.
    /// Each change is told once to whoever goes on from the mark that comes with it. What nobody answered in time is closed first, so that
    /// what ends later than this is told later than this.
    ///
    /// - Throws: `tokenInvalid` where the session has ended; `scopeInsufficient` where it is no person's.
    package func news(as session: Session, since mark: NewsMark?) async throws -> News {
        guard case .person(let user) = session.owner else { throw Refusal(.scopeInsufficient) }
        while true {
            if let news = try await news(of: user, as: session, since: mark) { return news }
            try await write { try $0.expireNotifications(of: user) }
        }
    }

    /// The same; nil where something is over that is not closed.
    private func news(of user: UserName, as session: Session, since mark: NewsMark?) async throws -> News? {
        let clock = clock
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            try transaction.checkAlive(session)
            let nextEnd = try NotificationRow.nextEnd(of: user.text, on: connection)
            if let nextEnd, nextEnd <= transaction.now { return nil }
            let rows: [NotificationRow.Change]
            // Of what is recorded, not of the clock, which may be set back: nothing is recorded before it any more.
            var end = try mark?.at ?? AuditRow.newestRecordedTime(on: connection) ?? 0
            if let mark {
                rows = try NotificationRow.changes(of: user.text, since: mark.at, limit: Page.limit, on: connection)
            } else {
                rows = try NotificationRow.pendingChanges(
                    of: user.text, at: transaction.now, limit: Page.limit, on: connection)
            }
            let all = try rows.map(NotificationChange.init)
            let changes = all.filter { !(mark?.told.contains($0) ?? false) }
            if let newest = all.last?.at { end = max(end, newest) }
            return News(
                changes: changes, mark: NewsMark(at: end, told: Set(all.filter { $0.at == end })), nextEnd: nextEnd)
        }
    }
}

extension NotificationChange {
    fileprivate init(_ row: NotificationRow.Change) throws {
        guard let id = UUIDText(row.id), let status = Notification.Status(rawValue: row.status.rawValue) else {
            throw StorageError(.corrupt, "a notification says what none can say")
        }
        self.init(id: id, status: status, at: row.at)
    }
}
