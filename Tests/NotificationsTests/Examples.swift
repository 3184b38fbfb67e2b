import CountersignVerifier
import Notifications
import Testing

/// Values that many tests need.
enum Example {
    static func uuid(_ number: Int) throws -> UUIDText {
        let digits = String(number, radix: 16)
        let tail = String(repeating: "0", count: 12 - digits.count) + digits
        return try #require(UUIDText("00000000-0000-4000-8000-\(tail)"))
    }

    static func user() throws -> UserName { try #require(UserName("alice")) }

    static func body(
        _ language: String = "en", subject: String = "Transfer", message: String = "Pay 5.00 EUR to Bob?",
        labels: [String: String] = ["Accept": "Approve", "Reject": "Decline"]
    ) throws -> NotificationBody {
        try NotificationBody(language: language, subject: subject, message: message, labels: labels)
    }

    /// To be accepted with a signature, or rejected without.
    static func content(_ bodies: [NotificationBody]? = nil, level: Int = 1) throws -> NotificationContent {
        try NotificationContent(
            bodies: bodies ?? [body()],
            actions: [NotificationAction(name: "Accept", level: level), NotificationAction(name: "Reject", level: 0)])
    }

    static func toRead() throws -> NotificationContent {
        try NotificationContent(bodies: [body(labels: [:])], actions: [])
    }

    static func notification(
        _ content: NotificationContent? = nil, at now: Int64 = 1_000, life: Int64? = 300_000
    ) throws -> Notifications.Notification {
        try Notifications.Notification(
            id: uuid(1), user: user(), content: content ?? self.content(), at: now, life: life)
    }
}
