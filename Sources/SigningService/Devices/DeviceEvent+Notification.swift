internal import CountersignVerifier
internal import Notifications
internal import Storage

extension DeviceEvent {
    /// What the user's other devices are told. There is nothing to choose: it is read, and may be dismissed.
    fileprivate func draft() throws -> NotificationDraft {
        let (subject, what) =
            switch kind {
            case .enrolled: ("A device was added", "was added to your devices")
            case .renamed: ("A device was renamed", "is the new name of one of your devices")
            case .deleted: ("A device was removed", "was removed from your devices")
            case .blocked: ("A device was blocked", "was blocked by the operator")
            case .unblocked: ("A device was unblocked", "was unblocked by the operator")
            }
        let message = "\(name)\n\(what). If you do not know why, tell whoever runs this service."
        let body = try NotificationBody(language: "en", subject: subject, message: message, labels: [:])
        return NotificationDraft(content: try NotificationContent(bodies: [body], actions: []))
    }
}

extension Transaction {
    /// How many notifications of one kind of change wait for a person: whoever renames on and on hides nothing and fills no disk.
    private static let noticeLimit = 20

    /// Tells the user's other devices what happened to one, where there are any.
    func notifyOthers(of event: DeviceEvent) throws {
        let others = try DeviceRow.list(userName: event.user.text, on: connection).filter {
            $0.state == .active && $0.id != (event.by ?? event.device).text
        }
        guard !others.isEmpty else { return }
        try tell(event.user, event.draft(), on: others)
    }

    /// Tells devices of a user something that is only to be read.
    func tell(_ user: UserName, _ draft: NotificationDraft, on devices: [DeviceRow]) throws {
        try makeRoom(for: draft, of: user)
        try notify(user, draft, from: .service, id: SigningEngine.newID(), on: devices)
    }

    /// Withdraws the oldest of this kind, so that one more can wait.
    private func makeRoom(for draft: NotificationDraft, of user: UserName) throws {
        guard let subject = draft.content.bodies.first?.subject else { return }
        let alike = try NotificationRow.pendingNotices(of: user.text, at: now, on: connection)
            .map { (row: $0, record: try $0.record()) }
            .filter { $0.record.notification.content.bodies.first?.subject == subject }
        for (row, record) in alike.dropFirst(Self.noticeLimit - 1) {
            var notification = record.notification
            guard case .closed? = try notification.handle(.withdraw, at: now) else { continue }
            try close(row, notification)
        }
    }
}
