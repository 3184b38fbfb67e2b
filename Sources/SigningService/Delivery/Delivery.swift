package import CountersignVerifier

/// Something on its way to a device or to the webhook.
package struct Delivery: Sendable {
    /// What carries it.
    package enum Transport: String, Sendable, Hashable, CaseIterable {
        /// Apple's push notification service, to one device.
        case apns
        /// The webhook of the operator.
        case webhook
    }

    /// What it tells.
    package enum Event: String, Sendable, Hashable, CaseIterable {
        /// Somebody is told or asked something.
        case notificationMade = "notification-made"
        /// A notification was answered, withdrawn, closed, or nobody answered in time.
        case notificationEnded = "notification-ended"
        /// A new device wants to join by an activation code, which somebody must bring to its person.
        case activationCodeWanted = "activation-code-wanted"
    }

    /// What became of a try.
    package enum Outcome: Sendable, Hashable {
        /// It was taken; what was said to that.
        case delivered(receipt: String)
        /// It may be taken later.
        case later(reason: String, afterSeconds: Int64?)
        /// It will never be taken.
        case failed(reason: String)
        /// It will never be taken, and nothing else for this device's token either.
        case tokenGone(reason: String)
    }

    /// By which whoever gets it twice knows it.
    package let id: UUIDText
    /// What it tells.
    package let event: Event
    /// Whom it is about.
    package let user: UserName
    /// The notification that it is about, where there is one.
    package let notification: UUIDText?
    /// What had become of that.
    package let status: String?
    /// When it happened, milliseconds since 1970.
    package let createdAt: Int64
    /// After that nobody wants it any more.
    package let expiresAt: Int64
    /// Which try it is, from 1.
    package let attempt: Int
    /// Where it goes.
    package let address: Address

    /// Something on its way.
    package init(
        id: UUIDText, event: Event, user: UserName, notification: UUIDText?, status: String?, createdAt: Int64,
        expiresAt: Int64, attempt: Int, address: Address
    ) {
        self.id = id
        self.event = event
        self.user = user
        self.notification = notification
        self.status = status
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.attempt = attempt
        self.address = address
    }

    /// Where something goes.
    package enum Address: Sendable, Hashable {
        /// To the operator's webhook.
        case webhook(url: String, mayBePrivate: Bool)
        /// To a device.
        case device(UUIDText, token: String, isDevelopment: Bool)
        /// The device has no token any more, or there is no webhook.
        case gone
    }
}
