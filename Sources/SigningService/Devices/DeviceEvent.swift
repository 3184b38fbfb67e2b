internal import CountersignVerifier
internal import Storage

/// A change of a device, of which its user must learn.
struct DeviceEvent: Sendable {
    /// What happened to it.
    enum Kind: Sendable { case enrolled, renamed, deleted, blocked, unblocked }

    let kind: Kind
    let user: UserName
    let device: UUIDText
    /// What its user calls it, now.
    let name: String
    /// The device of the user that did it; nil: the operator did, or the device itself by being enrolled.
    let by: UUIDText?
    /// What else is to be recorded.
    let note: String?

    init(_ kind: Kind, of user: UserName, device: UUIDText, name: String, by: UUIDText?, note: String? = nil) {
        self.kind = kind
        self.user = user
        self.device = device
        self.name = name
        self.by = by
        self.note = note
    }

    fileprivate var audit: AuditEvent {
        switch kind {
        case .enrolled: .deviceEnrolled
        case .renamed: .deviceRenamed
        case .deleted: .deviceDeleted
        case .blocked: .deviceBlocked
        case .unblocked: .deviceUnblocked
        }
    }
}

extension Transaction {
    /// Records a change of a device, and tells the user's other devices: the one place where all of them come by. The audit has ids only:
    /// what a person calls a device may say more than it needs.
    func tell(_ event: DeviceEvent) throws {
        try notifyOthers(of: event)
        let parts = ["device \(event.device.text)", event.by.map { "by \($0.text)" }, event.note]
        try record(event.audit, user: event.user.text, detail: parts.compactMap { $0 }.joined(separator: ", "))
    }
}
