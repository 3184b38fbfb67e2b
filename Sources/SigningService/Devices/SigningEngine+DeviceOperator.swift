package import CountersignVerifier
internal import Devices
internal import Signing
internal import Storage

extension SigningEngine {
    /// Blocks a device of a user: its sessions end at once, and it cannot log in until it is unblocked. Blocking twice is harmless.
    ///
    /// - Throws: `deviceUnknown`, also for another user's and for one that was deleted; `userUnknown`.
    @discardableResult
    package func block(_ device: UUIDText, of name: UserName, once: Once<Device>? = nil) async throws -> Device {
        try await write(once) { try $0.change(device, of: name, by: .block) }
    }

    /// Lets a device log in again that was blocked. One that is active stays so.
    ///
    /// - Throws: as `block(_:of:once:)`.
    @discardableResult
    package func unblock(_ device: UUIDText, of name: UserName, once: Once<Device>? = nil) async throws -> Device {
        try await write(once) { try $0.change(device, of: name, by: .unblock) }
    }

    /// Deletes a device of a user, even their last one: its sessions end at once, and it never comes back. Cooling-off is for users: it
    /// does not hold up the operator.
    ///
    /// - Throws: as `block(_:of:once:)`.
    package func delete(_ device: UUIDText, of name: UserName) async throws {
        try await write { _ = try $0.change(device, of: name, by: .delete) }
    }
}

extension Transaction {
    /// Something that the operator does to a device.
    fileprivate func change(_ id: UUIDText, of name: UserName, by event: DeviceState.Event) throws -> Device {
        _ = try user(name)
        guard var row = try DeviceRow.find(id.text, on: connection), row.userName.utf8.elementsEqual(name.text.utf8)
        else { throw Refusal(.deviceUnknown) }
        let state = try DeviceState(row.state).after(event)
        if state != DeviceState(row.state) {
            row.state = DeviceRow.State(state)
            row.blockedAt = state == .blocked ? now : nil
            try row.update(on: connection)
            if state != .active { try endSessions(.device(row.id)) }
            if state == .deleted { try PushTokenRow.delete(row.id, on: connection) }
            try tell(DeviceEvent(DeviceEvent.Kind(event), of: name, device: id, name: row.name, by: nil))
        }
        guard let changed = try DeviceRow.find(id.text, on: connection) else { throw Refusal(.deviceUnknown) }
        return try Device(changed, settings().probation, at: now)
    }
}

extension DeviceEvent.Kind {
    fileprivate init(_ event: DeviceState.Event) {
        switch event {
        case .block: self = .blocked
        case .unblock: self = .unblocked
        case .delete: self = .deleted
        }
    }
}
