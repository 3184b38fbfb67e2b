internal import Sessions
package import SigningService
package import Wire

extension NotificationMessage {
    /// A notification as it stands.
    package init(_ record: NotificationRecord) {
        var client: String?
        if case .client(let name) = record.origin { client = name.text }
        self.init(
            record.notification, signingStatus: record.signing?.rawValue, enterprise: record.enterprise, client: client)
    }
}

extension NotificationAnswerMessage {
    /// What came of choosing an action.
    package init(_ answered: AnsweredNotification) {
        self.init(
            notification: NotificationMessage(answered.record), signing: answered.signing.map(SigningMessage.init))
    }
}
