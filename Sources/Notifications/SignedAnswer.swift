internal import CountersignKeys
package import CountersignVerifier
internal import Signing

/// What is signed where an action needs authentication: subject, message and the chosen action (docs/notifications.md).
package struct SignedAnswer: Sendable, Hashable {
    /// The whole text.
    package let text: String
    /// The payload: the text, or where that is longer than a payload may be, the line of its digest.
    package let payload: String
    /// The reason, which has the action's label.
    package let reason: String

    /// The acceptance of a signing request: what it asks for, exactly.
    package init(accepting payload: String, reason: String) {
        text = payload
        self.payload = payload
        self.reason = reason
    }

    /// The answer to a notification, in the language that the person read.
    package init(_ action: NotificationAction, of body: NotificationBody, notification: UUIDText) {
        text = "Answer: \(action.name)\nSubject: \(body.subject)\n\n\(body.message)"
        reason = "Answer: \(body.labels[action.name] ?? action.name)"
        if (try? SigningText(text.utf8Span.span, as: .payload)) != nil {
            payload = text
        } else {
            let digest = SHA256.hash(text.utf8Span.span)
            payload = "sha256:\(Hex.text(of: digest)) notification \(notification.text)"
        }
    }
}
