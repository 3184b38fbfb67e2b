package import Wire

/// A live session. Times are milliseconds since 1970.
public struct SessionRecord: Sendable {
    /// The message it came in.
    package let message: SessionMessage

    /// One that came.
    package init(_ message: SessionMessage) { self.message = message }

    /// Its id.
    public var id: String { message.id }
    /// The id of its device.
    public var device: String? { message.device }
    /// How the device is called.
    public var deviceName: String? { message.deviceName }
    /// When it began.
    public var createdAt: Int64 { message.createdAt }
    /// When it was last used, to the minute.
    public var lastUsedAt: Int64 { message.lastUsedAt }
    /// When it ends, if it is not used before.
    public var expiresAt: Int64 { message.expiresAt }
    /// Whether it is the one that asks.
    public var isCurrent: Bool { message.isCurrent }
}
