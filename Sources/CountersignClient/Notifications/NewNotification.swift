internal import Notifications
internal import Signing
internal import Wire

/// What a person is to be told or asked.
///
/// ```swift
/// let question = NewNotification(
///     for: "alice", NotificationRecord.Body(
///         language: "en", subject: "Transfer", message: "Pay 5.00 EUR to Bob?",
///         labels: ["Accept": "Approve", "Reject": "Decline"]),
///     actions: [.init("Accept", level: 1), .init("Reject")])
/// let asked = try await shop.notify(question)
/// ```
public struct NewNotification: Sendable {
    /// Whom it is for.
    public var user: String
    /// What it says, in 1 to 10 languages.
    public var bodies: [NotificationRecord.Body]
    /// What can be answered, at most 8 actions.
    public var actions: [NotificationRecord.Action]
    /// How long it lives, in seconds; nil: five minutes with actions, a week without.
    public var expiresIn: Int64?
    /// The enterprise that it belongs to, where there are several.
    public var enterprise: String?

    /// A notification.
    public init(
        for user: String, _ bodies: NotificationRecord.Body..., actions: [NotificationRecord.Action] = [],
        expiresIn: Int64? = nil, enterprise: String? = nil
    ) {
        self.user = user
        self.bodies = bodies
        self.actions = actions
        self.expiresIn = expiresIn
        self.enterprise = enterprise
    }

    /// As it is sent; the rules are those of the service, and say the same before anything is sent.
    func message() throws(Refusal) -> CreateNotification {
        var (offered, texts): ([NotificationAction], [NotificationBody]) = ([], [])
        for action in actions { offered.append(try NotificationAction(name: action.value, level: action.level)) }
        for body in bodies {
            texts.append(
                try NotificationBody(
                    language: body.language, subject: body.subject, message: body.message, labels: body.labels))
        }
        let content = try NotificationContent(bodies: texts, actions: offered)
        return CreateNotification(
            user: user, bodies: content.bodies.map { NotificationBodyMessage($0, offered) },
            actions: offered.map(NotificationActionMessage.init), expiresIn: expiresIn, enterprise: enterprise)
    }
}

extension ServiceConnection {
    func notify(
        _ new: NewNotification, as authorizer: any Authorizer
    ) async throws(ServiceError) -> NotificationRecord {
        let request: CreateNotification
        do throws(Refusal) { request = try new.message() } catch { throw ServiceError(error) }
        return NotificationRecord(try await message(.post("/v1/notifications", request), as: authorizer))
    }
}

extension RelyingService {
    /// Tells or asks a person something.
    ///
    /// - Throws: `refused` with 1710 for what cannot be a notification, 1721 where too much waits for that person, 102 where there is no
    ///   such person.
    public func notify(_ new: NewNotification) async throws(ServiceError) -> NotificationRecord {
        try await connection.notify(new, as: authorizer)
    }

    /// A notification of its own, as it stands.
    public func notification(_ id: String) async throws(ServiceError) -> NotificationRecord {
        let message: NotificationMessage = try await connection.message(
            .get("/v1/notifications/\(Call.segment(id))"), as: authorizer)
        try message.check(id)
        return NotificationRecord(message)
    }

    /// Takes a notification back.
    public func withdrawNotification(_ id: String) async throws(ServiceError) {
        try await connection.done(.delete("/v1/notifications/\(Call.segment(id))"), as: authorizer)
    }
}

extension Operator {
    /// Tells or asks a person something.
    public func notify(_ new: NewNotification) async throws(ServiceError) -> NotificationRecord {
        try await connection.notify(new, as: authorizer)
    }

    /// Takes back a notification that an operator made.
    public func withdrawNotification(_ id: String) async throws(ServiceError) {
        try await connection.done(.delete("/v1/notifications/\(Call.segment(id))"), as: authorizer)
    }
}
