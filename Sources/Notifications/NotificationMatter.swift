package import CountersignVerifier

/// What a notification is about. Inbox, history, answers and their races are the same for all.
package enum NotificationMatter: Sendable, Hashable {
    /// What it says itself.
    case message
    /// A relying service's signing request, as one person is asked it.
    case request(RequestMatter)
    /// A new device that wants to join the person's.
    case activation(ActivationMatter)

    /// The words of the matters.
    package enum Word: String, Sendable, Hashable, CaseIterable { case message, request, activation }

    /// Its word.
    package var word: Word {
        switch self {
        case .message: .message
        case .request: .request
        case .activation: .activation
        }
    }

    /// The id of what it is about; nil where that is the notification itself.
    package var id: UUIDText? {
        switch self {
        case .message: nil
        case .request(let request): request.id
        case .activation(let activation): activation.id
        }
    }

    /// Whether choosing an action makes a statement, whatever its level: a signing request is accepted by signing it.
    func signs(_ action: NotificationAction) -> Bool {
        if case .request = self { return action.name == NotificationAction.accept }
        return action.level != .none
    }
}

/// What a person is asked to sign for a relying service: exactly what the statement will say.
package struct RequestMatter: Sendable, Hashable {
    /// The id of the signing request.
    package let id: UUIDText
    /// The relying service that asks, which is the statement's `aud`.
    package let asker: String
    /// On whose behalf it says it asks; that person is never asked.
    package let requester: UserName?
    /// What is to be signed.
    package let payload: String
    /// Why.
    package let reason: String
    /// The level.
    package let level: Int
    /// The type of authenticator.
    package let type: Int
    /// How many persons must sign, where several were asked.
    package let quorum: Quorum?

    /// The parts, by the rules of what may be signed.
    package init(
        id: UUIDText, asker: String, requester: UserName? = nil, payload: String, reason: String, level: Int, type: Int,
        quorum: Quorum? = nil
    ) {
        self.id = id
        self.asker = asker
        self.requester = requester
        self.payload = payload
        self.reason = reason
        self.level = level
        self.type = type
        self.quorum = quorum
    }
}

/// The device that wants to join.
package struct ActivationMatter: Sendable, Hashable {
    /// The id of the activation.
    package let id: UUIDText
    /// What the device calls itself.
    package let deviceName: String
    /// Where it asks from, as far as that is known.
    package let address: String?

    /// The parts.
    package init(id: UUIDText, deviceName: String, address: String?) {
        self.id = id
        self.deviceName = deviceName
        self.address = address
    }
}
