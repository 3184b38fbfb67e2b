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

extension SigningEngine {
    /// What became of the notifications of a session's person since a mark, oldest first, a thousand at most; without a mark, what waits.
    /// Each change is told once to whoever goes on from the mark that comes with it. What expires is told when somebody looks.
    ///
    /// - Throws: `tokenInvalid` where the session has ended; `scopeInsufficient` where it is no person's.
    package func news(
        as session: Session, since mark: NewsMark?
    ) async throws -> (changes: [NotificationChange], mark: NewsMark) {
        guard case .person(let user) = session.owner else { throw Refusal(.scopeInsufficient) }
        let clock = clock
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            try transaction.checkAlive(session)
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
            return (changes, NewsMark(at: end, told: Set(all.filter { $0.at == end })))
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
