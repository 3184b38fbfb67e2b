package import CountersignVerifier
package import Signing

/// The devices of one user, and what the user may do to them.
package struct DeviceSet: Sendable, Hashable {
    /// A device, as far as the rules look at it.
    package struct Device: Sendable, Hashable {
        /// Its id.
        package let id: UUIDText
        /// What its user calls it.
        package var name: String
        /// Where it is in its life.
        package var state: DeviceState

        /// A device.
        package init(id: UUIDText, name: String, state: DeviceState) {
            self.id = id
            self.name = name
            self.state = state
        }
    }

    /// All of them, deleted ones too.
    package private(set) var devices: [Device]

    /// Those.
    package init(_ devices: [Device]) { self.devices = devices }

    /// Does all of the updates, in their order, or none (rule O24).
    ///
    /// - Parameter current: the device that asks.
    /// - Throws: `tokenInvalid` where that is none of the active ones any more; `memberValue` for no update, too many of them, or two of
    ///   one device; `deviceUnknown`, `deviceNameSame`; `deviceCurrent` for the deletion of the one that asks (rule D19), `deviceLast`
    ///   where there is no other active one.
    package mutating func apply(_ updates: [DeviceUpdate], from current: UUIDText) throws(Refusal) {
        var draft = devices
        guard draft.contains(where: { $0.id == current && $0.state == .active }) else { throw Refusal(.tokenInvalid) }
        guard !updates.isEmpty, updates.count <= DeviceUpdate.limit, Set(updates.map(\.device)).count == updates.count
        else { throw Refusal(.memberValue, .member("updates")) }
        for update in updates {
            guard let index = draft.firstIndex(where: { $0.id == update.device && $0.state != .deleted }) else {
                throw Refusal(.deviceUnknown)
            }
            switch update.operation {
            case .rename(let name):
                // Canonically equal names look the same to whoever reads them (rule D22, attack D8).
                if draft[index].name == name { throw Refusal(.deviceNameSame) }
                draft[index].name = name
            case .delete:
                guard update.device != current else {
                    let isLast = !draft.contains { $0.id != current && $0.state == .active }
                    throw Refusal(isLast ? .deviceLast : .deviceCurrent)
                }
                draft[index].state = try draft[index].state.after(.delete)
            }
        }
        devices = draft
    }
}
