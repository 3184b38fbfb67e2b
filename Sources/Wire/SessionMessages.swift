package import CountersignJOSE
package import Signing

/// A live session.
package struct SessionMessage: ListedMessage {
    /// Its id.
    package let id: String
    /// The id of its device.
    package let device: String?
    /// How the device is called.
    package let deviceName: String?
    /// When it began, milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// When it was last used, to the minute.
    package let lastUsedAt: Int64
    /// When it ends, if it is not used before.
    package let expiresAt: Int64
    /// Whether it is the one that asks.
    package let isCurrent: Bool

    /// A session.
    package init(
        id: String, device: String?, deviceName: String?, createdAt: Int64, lastUsedAt: Int64, expiresAt: Int64,
        isCurrent: Bool
    ) {
        self.id = id
        self.device = device
        self.deviceName = deviceName
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.isCurrent = isCurrent
    }

    /// `{"sessions": [...]}`.
    package static var listName: StaticString { "sessions" }

    /// Its members.
    package static let shape = Shape(
        "Session",
        [
            .required("id", .uuid), .optional("device", .uuid, "the id of its device"), .optional("deviceName", .line),
            .required("createdAt", .time), .required("lastUsedAt", .time, "to the minute"),
            .required("expiresAt", .time, "if it is not used before"),
            .required("current", .flag, "whether it is the one that asks"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        device = members.optionalString("device")
        deviceName = members.optionalString("deviceName")
        createdAt = try members.integer("createdAt")
        lastUsedAt = try members.integer("lastUsedAt")
        expiresAt = try members.integer("expiresAt")
        isCurrent = try members.flag("current")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "device", string: device)
        writer.member(name: "deviceName", string: deviceName)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "lastUsedAt", integer: lastUsedAt)
        writer.member(name: "expiresAt", integer: expiresAt)
        writer.member(name: "current", flag: isCurrent)
        writer.endObject()
    }
}
