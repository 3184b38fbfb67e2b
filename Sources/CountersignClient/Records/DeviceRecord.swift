package import Wire

/// An enrolled device. Times are milliseconds since 1970.
public struct DeviceRecord: Sendable {
    /// The message it came in.
    package let message: DeviceMessage

    /// One that came.
    package init(_ message: DeviceMessage) { self.message = message }

    /// Its id.
    public var id: String { message.id }
    /// How it is called.
    public var name: String { message.name }
    /// Where it is in its life: `active`, `blocked` or `deleted`.
    public var state: String { message.state }
    /// Whether it is the one that asks.
    public var isCurrent: Bool { message.isCurrent }
    /// 0 permanent, 1 temporary.
    public var binding: Int { message.binding }
    /// The thumbprint of its key (RFC 7638).
    public var thumbprint: String { message.thumbprint }
    /// When it was enrolled.
    public var createdAt: Int64 { message.createdAt }
    /// When it was let in.
    public var activatedAt: Int64 { message.activatedAt }
    /// When it was last used, to the minute.
    public var lastAccessAt: Int64 { message.lastAccessAt }
    /// When it was blocked, where it is blocked.
    public var blockedAt: Int64? { message.blockedAt }
    /// Until when it may neither sign nor approve, where it is on probation.
    public var probationUntil: Int64? { message.probationUntil }
}

/// A user's devices, and whether they can be changed now.
public struct DeviceListRecord: Sendable {
    /// The message it came in.
    package let message: DeviceListMessage

    /// One that came.
    package init(_ message: DeviceListMessage) { self.message = message }

    /// The devices, oldest first.
    public var devices: [DeviceRecord] { message.devices.map(DeviceRecord.init) }
    /// 100, or 146 where they were asked for and cannot be changed now.
    public var statusCode: Int { message.statusCode }
    /// Why they cannot be changed, with 146.
    public var text: String? { message.message }
    /// Until when they cannot be changed; 0: they can.
    public var coolingOffUntil: Int64 { message.coolingOffUntil }
}

/// A change of one of the account owner's devices, by its id.
public enum DeviceChange: Sendable, Hashable {
    /// To call it so: 3 to 50 characters; white space around them is cut off.
    case rename(String, to: String)
    /// To delete it, for ever.
    case delete(String)

    package var message: DeviceUpdateMessage {
        switch self {
        case .rename(let id, let name): DeviceUpdateMessage(device: id, operation: "rename", name: name)
        case .delete(let id): DeviceUpdateMessage(device: id, operation: "delete")
        }
    }
}
