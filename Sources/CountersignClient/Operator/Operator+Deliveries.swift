package import Wire

/// Something that was to be carried to the webhook or to a device, and what became of it. Times are milliseconds since 1970.
public struct DeliveryRecord: Sendable {
    /// The message it came in.
    package let message: DeliveryMessage

    /// One that came.
    package init(_ message: DeliveryMessage) { self.message = message }

    /// By which whoever gets it knows it: the webhook's `jti`, Apple's `apns-id`.
    public var id: String { message.id }
    /// What carries it: `apns`, `webhook`.
    public var transport: String { message.transport }
    /// What it tells, in one word.
    public var event: String { message.event }
    /// Whom it is about.
    public var user: String { message.user }
    /// The device that it goes to.
    public var device: String? { message.device }
    /// The notification that it is about.
    public var notification: String? { message.notification }
    /// What had become of that.
    public var status: String? { message.status }
    /// What became of it: `waiting`, `delivered`, `failed`.
    public var state: String { message.state }
    /// How often it was tried.
    public var attempts: Int { message.attempts }
    /// What whoever took it, or did not, said last.
    public var receipt: String? { message.receipt }
    /// When it happened.
    public var createdAt: Int64 { message.createdAt }
    /// After that nobody wants it any more.
    public var expiresAt: Int64 { message.expiresAt }
    /// While it waits: not to be tried before.
    public var nextAt: Int64? { message.nextAt }
    /// When it was taken, or given up.
    public var endedAt: Int64? { message.endedAt }
}

/// What a list of deliveries is narrowed to. Empty: everything.
public struct DeliveryFilter: Sendable {
    /// What became of them: `waiting`, `delivered`, `failed`.
    public var state: String?
    /// What carries them: `apns`, `webhook`.
    public var transport: String?
    /// About this user.
    public var user: String?
    /// About this notification.
    public var notification: String?
    /// Made at or after, milliseconds since 1970.
    public var since: Int64?
    /// Made before, milliseconds since 1970.
    public var until: Int64?

    /// Everything.
    public init() {}
}

extension Operator {
    /// A page of what was to be carried to the webhook and to devices, newest first.
    public func deliveries(
        _ filter: DeliveryFilter = DeliveryFilter(), startIndex: Int = 1, count: Int = 100
    ) async throws(ServiceError) -> [DeliveryRecord] {
        let call = Call.get(
            "/v1/deliveries",
            query: [
                ("state", filter.state), ("transport", filter.transport), ("user", filter.user),
                ("notification", filter.notification), ("since", filter.since.map { String($0) }),
                ("until", filter.until.map { String($0) }), ("startIndex", String(startIndex)),
                ("count", String(count)),
            ])
        let deliveries: [DeliveryMessage] = try await connection.list(call, as: authorizer)
        return deliveries.map(DeliveryRecord.init)
    }
}
