internal import CountersignVerifier
internal import Devices
internal import Notifications
internal import Signing
internal import Storage

extension Transaction {
    /// Until when an activation that is not over can have been asked of a user: it has an hour at most for each of its steps.
    private static let openSpan: Int64 = 2 * 3_600_000

    /// Asks the user's devices whether a new one may join.
    func ask(_ row: ActivationRequestRow, _ devices: [DeviceRow], _ code: MatchCode, _ id: UUIDText) throws {
        guard let user = row.userName.flatMap({ UserName($0) }), let activation = UUIDText(row.id) else { return }
        let settings = try settings()
        let place = row.address.map { " It asks from the address \($0)." } ?? ""
        let content = try NotificationContent(
            approval: "A new device",
            message:
                "\(row.deviceName)\nwants to be one of your devices.\(place) Approve it only if you are adding it now.",
            level: 0)
        let matter = ActivationMatter(id: activation, deviceName: row.deviceName, address: row.address)
        try notify(
            user,
            NotificationDraft(
                content, about: .activation(matter), match: Match(code, settings.matchMode),
                life: settings.activation.life),
            from: .service, id: id, on: devices)
    }

    /// Takes back the question to the user's devices.
    func withdrawQuestion(of row: ActivationRequestRow) throws {
        guard let question = try row.notification.flatMap({ try NotificationRow.find($0, on: connection) }),
            question.status == .pending
        else { return }
        var notification = try question.record().notification
        if try notification.handle(.expire, at: now) == nil { _ = try notification.handle(.withdraw, at: now) }
        try close(question, notification, by: "activation \(row.id)")
    }

    /// What the answer to a question, or its end, means for the new device (rules A08 and A09).
    func settle(_ matter: ActivationMatter, _ notification: Notification, _ choice: NotificationChoice?) throws {
        guard let row = try ActivationRequestRow.find(matter.id.text, on: connection) else { return }
        let user = notification.user.text
        switch notification.state {
        case .updated(let answer) where answer.action == NotificationAction.accept:
            guard let device = try DeviceRow.find(answer.device.text, on: connection) else {
                throw Refusal(.tokenInvalid)
            }
            let settings = try settings()
            let end = now.saturatingAdd(settings.activation.life)
            try handle(.approve(Approver(device), settings.probation, until: end), row)
            try record(.activationApproved, user: user, detail: "activation \(row.id), device \(device.id)")
        case .updated(let answer):
            try handle(.reject, row)
            let detail = "activation \(row.id), device \(answer.device.text)"
            try record(.activationRejected, user: user, detail: detail)
            guard let choice, choice.isNotMe else { break }
            try record(.activationDisowned, user: user, detail: detail)
            try warn(notification.user, of: row)
            if choice.blocksActivations { try blockActivations(of: notification.user, detail) }
        case .discarded, .dismissed:
            guard try handle(.reject, row) != nil else { break }
            try record(.activationRejected, user: user, detail: "activation \(row.id), without an answer")
        case .expired: try handle(.expire, row)
        case .pending: break
        }
    }

    /// Tells all of the user's devices that somebody else tried to add one.
    private func warn(_ user: UserName, of row: ActivationRequestRow) throws {
        let place = row.address.map { " from the address \($0)" } ?? ""
        let body = try NotificationBody(
            language: "en", subject: "Somebody tried to add a device",
            message: """
                \(row.deviceName)
                tried to join your devices\(place), and one of them says that it was not you. Whoever did it knows your user name; if \
                they may know your password too, tell whoever runs this service.
                """, labels: [:])
        let draft = NotificationDraft(content: try NotificationContent(bodies: [body], actions: []))
        let devices = try DeviceRow.list(userName: user.text, on: connection).filter { $0.state == .active }
        try tell(user, draft, on: devices)
    }

    /// From now on nobody is asked for this user; what waits is rejected.
    private func blockActivations(of user: UserName, _ detail: String) throws {
        try ActivationBlockRow.insert(user.text, at: now, on: connection)
        try record(.activationsBlocked, user: user.text, detail: detail)
        let since = now.saturatingAdd(-Self.openSpan)
        for row in try ActivationRequestRow.asked(of: user.text, since: since, on: connection) {
            try handle(.reject, row)
        }
    }

    /// Lets the user's devices be asked again.
    func unblockActivations(of user: UserName) throws {
        try ActivationBlockRow.delete(user.text, on: connection)
    }
}
