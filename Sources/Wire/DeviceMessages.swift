package import CountersignJOSE
package import Signing

/// An enrolled device.
package struct DeviceMessage: WireMessage {
    /// Its id.
    package let id: String
    /// How it is called.
    package let name: String
    /// Where it is in its life: `active`, `blocked` or `deleted`.
    package let state: String
    /// Whether it is the one that asks.
    package let isCurrent: Bool
    /// 0 permanent, 1 temporary (rule D08).
    package let binding: Int
    /// The thumbprint of its key (RFC 7638).
    package let thumbprint: String
    /// When it was enrolled, milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// When it was let in.
    package let activatedAt: Int64
    /// When it was last used, to the minute.
    package let lastAccessAt: Int64
    /// When it was blocked, where it is blocked.
    package let blockedAt: Int64?
    /// Until when it may neither sign nor approve, where it is on probation.
    package let probationUntil: Int64?

    /// The words for its state.
    package static let states = ["active", "blocked", "deleted"]

    /// A device.
    package init(
        id: String, name: String, state: String, isCurrent: Bool, binding: Int = 0, thumbprint: String,
        createdAt: Int64, activatedAt: Int64, lastAccessAt: Int64, blockedAt: Int64? = nil,
        probationUntil: Int64? = nil
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.isCurrent = isCurrent
        self.binding = binding
        self.thumbprint = thumbprint
        self.createdAt = createdAt
        self.activatedAt = activatedAt
        self.lastAccessAt = lastAccessAt
        self.blockedAt = blockedAt
        self.probationUntil = probationUntil
    }

    /// Its members.
    package static let shape = Shape(
        "Device",
        [
            .required("id", .uuid), .required("name", .line), .required("state", .word(states)),
            .required("current", .flag, "whether it is the one that asks"),
            .required("binding", .number([0, 1]), "0 permanent, 1 temporary"),
            .required("thumbprint", .line, "of its key (RFC 7638)"),
            .required("createdAt", .time), .required("activatedAt", .time),
            .required("lastAccessAt", .time, "to the minute"), .optional("blockedAt", .time),
            .optional("probationUntil", .time, "until then it may neither sign nor approve"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        name = try members.string("name")
        state = try members.string("state")
        isCurrent = try members.flag("current")
        binding = try members.int("binding")
        thumbprint = try members.string("thumbprint")
        createdAt = try members.integer("createdAt")
        activatedAt = try members.integer("activatedAt")
        lastAccessAt = try members.integer("lastAccessAt")
        blockedAt = members.optionalInteger("blockedAt")
        probationUntil = members.optionalInteger("probationUntil")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "name", string: name)
        writer.member(name: "state", string: state)
        writer.member(name: "current", flag: isCurrent)
        writer.member(name: "binding", integer: binding)
        writer.member(name: "thumbprint", string: thumbprint)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "activatedAt", integer: activatedAt)
        writer.member(name: "lastAccessAt", integer: lastAccessAt)
        writer.member(name: "blockedAt", integer: blockedAt)
        writer.member(name: "probationUntil", integer: probationUntil)
        writer.endObject()
    }
}

/// A user's devices. During the cooling-off they come with 146 (rule D14).
package struct DeviceListMessage: WireMessage {
    /// 100, or 146 where the devices cannot be changed now.
    package let statusCode: Int
    /// Why not; absent with 100.
    package let message: String?
    /// Until when they cannot be changed, milliseconds since 1970; 0: they can (rule D16).
    package let coolingOffUntil: Int64
    /// The devices, oldest first.
    package let devices: [DeviceMessage]

    /// The devices as they are.
    package init(_ devices: [DeviceMessage], coolingOffUntil: Int64?) {
        let refusal = coolingOffUntil.map { Refusal(.deviceNotAllowed, .coolingOff(until: $0)) }
        self.init(devices, coolingOffUntil: coolingOffUntil, refusal)
    }

    /// The devices after they were changed: that succeeded, even where it was one change too many for the next.
    package init(changed devices: [DeviceMessage], coolingOffUntil: Int64?) {
        self.init(devices, coolingOffUntil: coolingOffUntil, nil)
    }

    private init(_ devices: [DeviceMessage], coolingOffUntil: Int64?, _ refusal: Refusal?) {
        statusCode = refusal?.code.rawValue ?? OperationStatus.success.rawValue
        message = refusal?.text
        self.coolingOffUntil = coolingOffUntil ?? 0
        self.devices = devices
    }

    /// Its members.
    package static let shape = Shape(
        "DeviceList",
        [
            .required("statusCode", .number([100, 146]), "146: they cannot be changed now"),
            .optional("message", .text(max: 2048), "why not"),
            .required("coolingOffUntil", .time, "until then they cannot be changed; 0: they can"),
            .required("devices", .list(.message(DeviceMessage.shape), max: 1000, otherwise: .memberValue)),
        ])

    /// Enough for the longest list.
    package static var maxValues: Int { 1000 * 40 }

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        statusCode = try members.int("statusCode")
        message = members.optionalString("message")
        coolingOffUntil = try members.integer("coolingOffUntil")
        devices = try members.messages("devices")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "statusCode", integer: statusCode)
        writer.member(name: "message", string: message)
        writer.member(name: "coolingOffUntil", integer: coolingOffUntil)
        writer.name("devices")
        writer.beginArray()
        for device in devices { device.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}

/// A change of one device.
package struct DeviceUpdateMessage: WireMessage {
    /// Its id.
    package let device: String
    /// `rename` or `delete`.
    package let operation: String
    /// The new name.
    package let name: String?

    /// An update.
    package init(device: String, operation: String, name: String? = nil) {
        self.device = device
        self.operation = operation
        self.name = name
    }

    /// Its members. The words and the name may be longer here than the rules allow, so that the rules say what is wrong.
    package static let shape = Shape(
        "DeviceUpdate",
        [
            .required("device", .uuid), .required("operation", .line, "rename or delete"),
            .optional("name", .text(max: 65_536), "the new name, for rename: 3 to 50 characters"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        device = try members.string("device")
        operation = try members.string("operation")
        name = members.optionalString("name")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "device", string: device)
        writer.member(name: "operation", string: operation)
        writer.member(name: "name", string: name)
        writer.endObject()
    }
}

/// `PATCH /v1/devices`: several changes, all or nothing.
package struct UpdateDevices: WireMessage {
    /// The changes.
    package let updates: [DeviceUpdateMessage]

    /// Those.
    package init(_ updates: [DeviceUpdateMessage]) { self.updates = updates }

    /// Its members.
    package static let shape = Shape(
        "UpdateDevices",
        [
            .required(
                "updates", .list(.message(DeviceUpdateMessage.shape), max: 100, otherwise: .memberValue),
                "1 to 100, each of another device; all are done or none")
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) { updates = try members.messages("updates") }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("updates")
        writer.beginArray()
        for update in updates { update.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}
