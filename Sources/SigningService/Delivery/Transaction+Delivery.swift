internal import CountersignVerifier
internal import Notifications
internal import Signing
internal import Storage

extension Transaction {
    /// How long the webhook may be away before an event is given up, in milliseconds.
    static let webhookLife: Int64 = 86_400_000

    /// Puts an event into the outbox, in the commit of what happened: to the webhook, where there is one.
    func tellWebhook(
        _ event: Delivery.Event, of user: UserName, notification: UUIDText? = nil, status: String? = nil
    ) throws {
        guard try settings().webhook != nil else { return }
        let row = OutboxRow(
            id: try SigningEngine.newID().text, transport: .webhook, event: event.rawValue, userName: user.text,
            notification: notification?.text, status: status, createdAt: now,
            expiresAt: now.saturatingAdd(Self.webhookLife))
        try row.insert(on: connection)
        changed.add(.outbox)
    }

    /// What became of a notification, for the webhook.
    func tellWebhook(_ event: Delivery.Event, about notification: Notification) throws {
        try tellWebhook(
            event, of: notification.user, notification: notification.id, status: notification.state.status.rawValue)
    }

    /// Puts what a new notification is to those devices into the outbox that take pushes.
    func push(_ notification: Notification, to devices: [DeviceRow]) throws {
        for device in devices {
            guard let token = try PushTokenRow.find(device.id, on: connection), token.token != nil,
                let transport = OutboxRow.Transport(rawValue: token.transport)
            else { continue }
            let row = OutboxRow(
                id: try SigningEngine.newID().text, transport: transport,
                event: Delivery.Event.notificationMade.rawValue, userName: notification.user.text, device: device.id,
                notification: notification.id.text, status: notification.state.status.rawValue, createdAt: now,
                expiresAt: notification.expiresAt)
            try row.insert(on: connection)
            changed.add(.outbox)
        }
    }
}
