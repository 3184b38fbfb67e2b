package import CountersignJOSE
package import Signing

/// Something in the outbox, and what became of it. Never a token, never a URL. Times are milliseconds since 1970.
package struct DeliveryMessage: ListedMessage {
    /// By which whoever gets it knows it: the webhook's `jti`, Apple's `apns-id`.
    package let id: String
    /// What carries it.
    package let transport: String
    /// What it tells, in one word.
    package let event: String
    /// Whom it is about.
    package let user: String
    /// The device that it goes to.
    package let device: String?
    /// The notification that it is about.
    package let notification: String?
    /// What had become of that.
    package let status: String?
    /// What became of it.
    package let state: String
    /// How often it was tried.
    package let attempts: Int
    /// What whoever took it, or did not, said last.
    package let receipt: String?
    /// When it happened.
    package let createdAt: Int64
    /// After that nobody wants it any more.
    package let expiresAt: Int64
    /// While it waits: not to be tried before.
    package let nextAt: Int64?
    /// When it was taken, or given up.
    package let endedAt: Int64?

    /// The message with these members.
    package init(
        id: String, transport: String, event: String, user: String, device: String? = nil,
        notification: String? = nil, status: String? = nil, state: String, attempts: Int, receipt: String? = nil,
        createdAt: Int64, expiresAt: Int64, nextAt: Int64? = nil, endedAt: Int64? = nil
    ) {
        self.id = id
        self.transport = transport
        self.event = event
        self.user = user
        self.device = device
        self.notification = notification
        self.status = status
        self.state = state
        self.attempts = attempts
        self.receipt = receipt
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.nextAt = nextAt
        self.endedAt = endedAt
    }

    /// `{"deliveries": [...]}`.
    package static var listName: StaticString { "deliveries" }

    /// The words for what carries something.
    package static let transports = ["apns", "webhook"]
    /// The words for what became of it.
    package static let states = ["waiting", "delivered", "failed"]

    /// Its members.
    package static let shape = Shape(
        "Delivery",
        [
            .required("id", .uuid, "by which whoever gets it knows it: the webhook's jti, Apple's apns-id"),
            .required("transport", .word(transports)),
            .required("event", .line, "what it tells"),
            .required("user", .line, "whom it is about"),
            .optional("device", .uuid, "the device that it goes to"),
            .optional("notification", .uuid, "the notification that it is about"),
            .optional("status", .line, "what had become of that"),
            .required("state", .word(states)),
            .required("attempts", .count, "how often it was tried"),
            .optional("receipt", .line, "what whoever took it, or did not, said last"),
            .required("createdAt", .time, "when it happened"),
            .required("expiresAt", .time, "after that nobody wants it any more"),
            .optional("nextAt", .time, "while it waits: not to be tried before"),
            .optional("endedAt", .time, "when it was taken, or given up"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        transport = try members.string("transport")
        event = try members.string("event")
        user = try members.string("user")
        device = members.optionalString("device")
        notification = members.optionalString("notification")
        status = members.optionalString("status")
        state = try members.string("state")
        attempts = try members.int("attempts")
        receipt = members.optionalString("receipt")
        createdAt = try members.integer("createdAt")
        expiresAt = try members.integer("expiresAt")
        nextAt = members.optionalInteger("nextAt")
        endedAt = members.optionalInteger("endedAt")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "transport", string: transport)
        writer.member(name: "event", string: event)
        writer.member(name: "user", string: user)
        writer.member(name: "device", string: device)
        writer.member(name: "notification", string: notification)
        writer.member(name: "status", string: status)
        writer.member(name: "state", string: state)
        writer.member(name: "attempts", integer: attempts)
        writer.member(name: "receipt", string: receipt)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "expiresAt", integer: expiresAt)
        writer.member(name: "nextAt", integer: nextAt)
        writer.member(name: "endedAt", integer: endedAt)
        writer.endObject()
    }
}
