internal import CountersignJOSE
internal import CountersignVerifier
internal import Notifications
internal import Sessions
internal import Signing
internal import Storage

extension NotificationRow {
    /// The row of a new notification.
    init(_ notification: Notification, _ origin: NotificationRecord.Origin, enterprise: String?) {
        let (word, client): (Origin, String?) =
            switch origin {
            case .client(let name): (.client, name.text)
            case .operator: (.operator, nil)
            case .service: (.service, nil)
            }
        self.init(
            id: notification.id.text, userName: notification.user.text, origin: word, client: client,
            enterprise: enterprise,
            content: String(decoding: notification.content.json(notification.matter), as: UTF8.self),
            matter: notification.matter.row, matterID: notification.matter.id?.text,
            matchCode: notification.match?.code.text, matchMode: notification.match?.mode.row,
            createdAt: notification.createdAt, expiresAt: notification.expiresAt)
    }

    /// The notification as its row says.
    ///
    /// - Throws: `StorageError.corrupt` where the row breaks a rule that no notification can break.
    func record() throws -> NotificationRecord {
        guard let id = UUIDText(id), let user = UserName(userName), let state = state(),
            let content = try? JSON(parsing: Array(content.utf8), maxBytes: 1 << 20).object,
            let said = try? NotificationContent(content), let matter = matter(content), let origin = recordOrigin()
        else { throw StorageError(.corrupt, "a notification says what none can say") }
        return NotificationRecord(
            notification: Notification(
                id: id, user: user, content: said, matter: matter, match: try match(), createdAt: createdAt,
                expiresAt: expiresAt, state: state),
            origin: origin, enterprise: enterprise,
            signing: signing.flatMap { NotificationRecord.Signing(rawValue: $0.rawValue) })
    }

    /// Takes over what became of it.
    mutating func take(_ notification: Notification) {
        matchWrong = notification.match?.wrong ?? 0
        let state = notification.state
        guard let word = Status(rawValue: state.status.rawValue) else { return }
        status = word
        changedAt = state.changedAt
        action = state.status.isFinal ? NotificationAction.none : nil
        guard case .updated(let answer) = state else { return }
        action = answer.action
        device = answer.device.text
        jti = answer.signature?.text
        signing = answer.signature == nil ? nil : .signed
    }

    private func matter(_ content: JSONObject) -> NotificationMatter? {
        switch matter {
        case .message: .message
        case .request: content["request"]?.object.flatMap(RequestMatter.init).map { .request($0) }
        case .activation: content["activation"]?.object.flatMap(ActivationMatter.init).map { .activation($0) }
        }
    }

    private func match() throws -> Match? {
        guard let matchCode, let matchMode else { return nil }
        guard let code = MatchCode(matchCode) else { throw StorageError(.corrupt, "a match code is none") }
        return Match(code, Match.Mode(matchMode), wrong: matchWrong)
    }

    private func state() -> Notification.State? {
        guard let changedAt else { return .pending }
        switch status {
        case .pending: return nil
        case .expired: return .expired(at: changedAt)
        case .discarded: return .discarded(at: changedAt)
        case .dismissed: return .dismissed(at: changedAt)
        case .updated:
            guard let action, let device = device.flatMap({ UUIDText($0) }) else { return nil }
            let signature = jti.flatMap { UUIDText($0) }
            guard (signature == nil) == (jti == nil) else { return nil }
            return .updated(Notification.Answer(action: action, device: device, at: changedAt, signature: signature))
        }
    }

    private func recordOrigin() -> NotificationRecord.Origin? {
        switch origin {
        case .client: client.flatMap { ClientName($0) }.map { .client($0) }
        case .operator: .operator
        case .service: .service
        }
    }
}

extension NotificationContent {
    /// As the store keeps it, with what it is about.
    fileprivate func json(_ matter: NotificationMatter) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.name("body")
        writer.beginArray()
        for body in bodies {
            writer.beginObject()
            writer.member(name: "lng", string: body.language)
            writer.member(name: "subject", string: body.subject)
            writer.member(name: "message", string: body.message)
            writer.name("labels")
            writer.beginObject()
            for action in actions {
                writer.name(text: action.name)
                writer.string(body.labels[action.name] ?? action.name)
            }
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
        writer.name("actions")
        writer.beginArray()
        for action in actions {
            writer.beginObject()
            writer.member(name: "action", string: action.name)
            writer.member(name: "level", integer: Int64(action.level.rawValue))
            writer.endObject()
        }
        writer.endArray()
        switch matter {
        case .message: break
        case .request(let request):
            writer.name("request")
            request.write(to: &writer)
        case .activation(let activation):
            writer.name("activation")
            activation.write(to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    fileprivate init(_ object: JSONObject) throws {
        struct Malformed: Error {}
        guard let bodies = object["body"]?.array, let actions = object["actions"]?.array else { throw Malformed() }
        try self.init(
            bodies: bodies.map { value in
                guard let body = value.object, let language = body["lng"]?.string, let labels = body["labels"]?.object,
                    let subject = body["subject"]?.string, let message = body["message"]?.string
                else { throw Malformed() }
                var texts: [String: String] = [:]
                for label in labels.members { texts[label.name] = label.value.string ?? "" }
                return try NotificationBody(language: language, subject: subject, message: message, labels: texts)
            },
            actions: actions.map { value in
                guard let name = value.object?["action"]?.string, let level = value.object?["level"]?.integer else {
                    throw Malformed()
                }
                return try NotificationAction(name: name, level: Int(clamping: level))
            })
    }
}
