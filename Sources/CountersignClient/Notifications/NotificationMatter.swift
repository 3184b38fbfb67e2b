internal import CountersignJOSE
internal import Notifications
internal import Wire

extension NotificationRecord {
    /// What a person is asked to sign for a relying service: exactly what the statement will say.
    public struct Request: Sendable {
        /// The id of the signing request, the claim `request`.
        public let id: String
        /// The relying service that asks, the claim `aud`.
        public let asker: String
        /// On whose behalf it says it asks; that person is not asked.
        public let requester: String?
        /// What is to be signed.
        public let payload: String
        /// Why.
        public let reason: String
        /// The level.
        public let level: Int
        /// The type of authenticator.
        public let authenticatorType: Int
        /// `N/M`: how many must sign of how many that are asked; nil where one person is.
        public let quorum: String?
    }

    /// A new device that wants to join the person's.
    public struct Activation: Sendable {
        /// The id of the activation.
        public let id: String
        /// What the device calls itself.
        public let name: String
        /// Where it asks from, as far as the service knows.
        public let address: String?
    }

    /// What an approver does with the match code.
    public enum Match: String, Sendable {
        /// They must bring it: it is shown where this was asked.
        case required
        /// They are shown it, to compare.
        case offered
    }

    /// What is to be signed, where it is about a signing request.
    public var request: Request? {
        message.request.map {
            Request(
                id: $0.id, asker: $0.asker, requester: $0.requester, payload: $0.payload, reason: $0.reason,
                level: $0.level, authenticatorType: $0.authenticatorType, quorum: $0.quorum)
        }
    }
    /// Which device wants to join, where it is about that.
    public var activation: Activation? {
        message.activation.map { Activation(id: $0.id, name: $0.name, address: $0.address) }
    }
    /// Whether choosing this action signs something: it has a level, or accepts a request for a signature.
    package func isSigned(_ action: String) -> Bool {
        if request != nil, action.hasSameUTF8(as: NotificationAction.accept) { return true }
        return actions.contains { $0.level > 0 && $0.value.hasSameUTF8(as: action) }
    }
    /// What an approver does with the match code; nil where there is none, and where it is over.
    public var match: Match? { message.match.flatMap { Match(rawValue: $0) } }
    /// The match code, where it is offered.
    public var matchCode: String? { message.matchCode }
}
