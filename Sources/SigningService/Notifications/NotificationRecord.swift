package import Notifications
package import Sessions

/// A notification with what the service knows of it beyond what became of it.
package struct NotificationRecord: Sendable {
    /// Who asked.
    package enum Origin: Sendable, Hashable {
        /// A relying service.
        case client(ClientName)
        /// An operator.
        case `operator`
        /// The service itself.
        case service
    }

    /// What became of the signing of an answer (rule O36: nil where there was none).
    package enum Signing: String, Sendable, Hashable, CaseIterable {
        /// The answer is signed.
        case signed = "SIGNED"
        /// The last one who tried could not authenticate.
        case failed = "FAILED"
    }

    /// The notification itself.
    package let notification: Notification
    /// Who asked.
    package let origin: Origin
    /// The enterprise that it belongs to, where there are several.
    package let enterprise: String?
    /// What became of the signing of an answer.
    package let signing: Signing?
}

/// What somebody wants a person to be told or asked.
package struct NotificationDraft: Sendable {
    /// What it says and asks.
    package let content: NotificationContent
    /// How long it lives, in milliseconds; nil: the standard of such content.
    package let life: Int64?
    /// The enterprise that it belongs to.
    package let enterprise: String?
    /// What it is about.
    let matter: NotificationMatter
    /// The match code of an approval.
    let match: Match?

    /// A draft.
    package init(content: NotificationContent, life: Int64? = nil, enterprise: String? = nil) {
        self.init(content, about: .message, match: nil, life: life, enterprise: enterprise)
    }

    /// A draft of what the service asks about something else than the notification itself.
    init(
        _ content: NotificationContent, about matter: NotificationMatter, match: Match?, life: Int64?,
        enterprise: String? = nil
    ) {
        self.content = content
        self.matter = matter
        self.match = match
        self.life = life
        self.enterprise = enterprise
    }
}

/// What somebody chooses.
package struct NotificationChoice: Sendable {
    /// The action.
    package let action: String
    /// The language in which the person read it, which is what is signed; nil: the first.
    package let language: String?
    /// The match code, where they brought one.
    package let matchCode: String?
    /// Whether they say that it was not they who began this.
    package let isNotMe: Bool
    /// Whether, besides, none of their devices is to be asked about new ones any more.
    package let blocksActivations: Bool

    /// A choice.
    package init(
        action: String, language: String? = nil, matchCode: String? = nil, isNotMe: Bool = false,
        blocksActivations: Bool = false
    ) {
        self.action = action
        self.language = language
        self.matchCode = matchCode
        self.isNotMe = isNotMe
        self.blocksActivations = blocksActivations
    }
}

/// What came of choosing an action.
package struct AnsweredNotification: Sendable {
    /// The notification as it is now.
    package let record: NotificationRecord
    /// What has to be answered before the choice counts; nil where it counts already.
    package let signing: SigningRecord?
}
