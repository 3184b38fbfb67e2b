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
    /// Tells the user's other devices what happened to one, where there are any.
    func notifyOthers(of event: DeviceEvent) throws {
        let others = try DeviceRow.list(userName: event.user.text, on: connection).filter {
            $0.state == .active && $0.id != event.device.text && $0.id != event.by?.text
        }
        guard !others.isEmpty else { return }
        try notify(event.user, event.draft(), from: .service, id: SigningEngine.newID(), on: others)
    }
}
