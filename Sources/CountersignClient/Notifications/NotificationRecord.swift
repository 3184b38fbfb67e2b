package import Wire

/// A notification: what somebody wants a person to know or to answer, and what became of it. Times are milliseconds since 1970.
public struct NotificationRecord: Sendable {
    /// What it says in one language.
    public struct Body: Sendable {
        /// The language: a tag such as `en` or `de-CH`.
        public let language: String
        /// The heading.
        public let subject: String
        /// The text.
        public let message: String
        /// What each action is called, by its value.
        public let labels: [String: String]

        /// A body.
        ///
        /// - Parameters:
        ///   - subject: 1 to 200 characters.
        ///   - message: 1 to 2,000 characters.
        ///   - labels: For each action, 1 to 64 characters.
        public init(language: String, subject: String, message: String, labels: [String: String] = [:]) {
            self.language = language
            self.subject = subject
            self.message = message
            self.labels = labels
        }
    }

    /// One thing that can be answered.
    public struct Action: Sendable {
        /// Its value: 1 to 64 printable ASCII characters.
        public let value: String
        /// 0: the answer counts at once. 1 or 4: it is signed.
        public let level: Int

        /// An action.
        public init(_ value: String, level: Int = 0) {
            self.value = value
            self.level = level
        }
    }

    /// The message it came in.
    package let message: NotificationMessage

    /// One that came.
    package init(_ message: NotificationMessage) { self.message = message }

    /// Its id.
    public var id: String { message.id }
    /// Whom it is for.
    public var user: String { message.user }
    /// `PENDING`, `UPDATED`, `EXPIRED`, `DISCARDED` or `DISMISSED`.
    public var status: String { message.status }
    /// What it says, in each language; the first counts where none is chosen.
    public var bodies: [Body] {
        message.bodies.map { body in
            var labels: [String: String] = [:]
            for (action, label) in body.labels { labels[action] = label }
            return Body(language: body.language, subject: body.subject, message: body.message, labels: labels)
        }
    }
    /// What can be answered; empty where it is over.
    public var actions: [Action] { message.actions.map { Action($0.action, level: $0.level) } }
    /// When it was made.
    public var createdAt: Int64 { message.createdAt }
    /// When it ends.
    public var expiresAt: Int64 { message.expiresAt }
    /// When it was answered or closed.
    public var changedAt: Int64? { message.changedAt }
    /// The action that was performed, or `NONE`; nil while it is pending.
    public var actionPerformed: String? { message.actionPerformed }
    /// The device that answered.
    public var device: String? { message.device }
    /// `SIGNED` or `FAILED`; nil where nothing was to be signed.
    public var signingStatus: String? { message.signingStatus }
    /// The `jti` of the statement that says the answer.
    public var signatureID: String? { message.signatureID }
    /// The enterprise that it belongs to.
    public var enterprise: String? { message.enterprise }
    /// The relying service that asked.
    public var client: String? { message.client }
}

/// What came of choosing an action.
public struct NotificationAnswer: Sendable {
    /// The notification as it is now.
    public let notification: NotificationRecord
    /// The signing that the choice needs: it counts once this is answered. Nil where it counts already.
    public let signing: SigningFlow?
}

/// What the history of notifications is narrowed to. Empty: everything.
public struct NotificationFilter: Sendable {
    /// `UPDATED`, `EXPIRED`, `DISCARDED` or `DISMISSED`.
    public var status: String?
    /// The action that was performed, or `NONE`.
    public var action: String?
    /// With this in subject or message of any language, in either case.
    public var keyword: String?
    /// Sent to this device or answered by it.
    public var device: String?
    /// Changed on this day of UTC or after: `YYYY-MM-DD`.
    public var from: String?
    /// Changed on this day of UTC or before: `YYYY-MM-DD`.
    public var to: String?
    /// Of this enterprise.
    public var enterprise: String?

    /// Everything.
    public init() {}
}
