internal import CountersignJOSE
internal import CountersignVerifier
internal import Notifications
internal import Storage

extension NotificationMatter {
    /// Its word in the store.
    var row: NotificationRow.Matter {
        switch word {
        case .message: .message
        case .request: .request
        case .activation: .activation
        }
    }
}

extension Match.Mode {
    /// Its word in the store.
    var row: NotificationRow.MatchMode {
        switch self {
        case .required: .required
        case .offered: .offered
        }
    }

    init(_ row: NotificationRow.MatchMode) {
        switch row {
        case .required: self = .required
        case .offered: self = .offered
        }
    }
}

extension RequestMatter {
    /// Writes it as the store keeps it.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id.text)
        writer.member(name: "asker", string: asker)
        if let requester { writer.member(name: "requester", string: requester.text) }
        writer.member(name: "payload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "level", integer: Int64(level))
        writer.member(name: "type", integer: Int64(type))
        if let quorum { writer.member(name: "quorum", string: quorum.description) }
        writer.endObject()
    }

    init?(_ object: JSONObject) {
        guard let id = object["id"]?.string.flatMap({ UUIDText($0) }), let asker = object["asker"]?.string,
            let payload = object["payload"]?.string, let reason = object["reason"]?.string,
            let level = object["level"]?.integer, let type = object["type"]?.integer
        else { return nil }
        self.init(
            id: id, asker: asker, requester: object["requester"]?.string.flatMap { UserName($0) }, payload: payload,
            reason: reason, level: Int(clamping: level), type: Int(clamping: type),
            quorum: object["quorum"]?.string.flatMap { Quorum($0) })
    }
}

extension ActivationMatter {
    /// Writes it as the store keeps it.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id.text)
        writer.member(name: "name", string: deviceName)
        if let address { writer.member(name: "address", string: address) }
        writer.endObject()
    }

    init?(_ object: JSONObject) {
        guard let id = object["id"]?.string.flatMap({ UUIDText($0) }), let name = object["name"]?.string else {
            return nil
        }
        self.init(id: id, deviceName: name, address: object["address"]?.string)
    }
}
