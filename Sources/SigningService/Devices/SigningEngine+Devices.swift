package import CountersignVerifier
package import Devices
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// A user's devices, for the operator: deleted ones too, of which only the newest where there are very many. None for a user who does
    /// not exist.
    package func deviceList(of name: UserName) async throws -> DeviceList {
        let clock = clock
        return try await database.read { connection in
            try Transaction(connection, clock: clock).deviceList(of: name, current: nil)
        }
    }

    /// The devices of the person who asks; those that were deleted are not among them (rule D29).
    ///
    /// - Throws: `scopeInsufficient` for whoever is no person.
    package func deviceList(as session: Session) async throws -> DeviceList {
        let (name, current) = try Self.person(session)
        let clock = clock
        return try await database.read { connection in
            try Transaction(connection, clock: clock).deviceList(of: name, current: current)
        }
    }

    /// Renames and deletes devices of the person who asks: all that they ask for, or nothing (rule O24). The sessions of one that is
    /// deleted end with it.
    ///
    /// - Returns: the devices as they are now, and whether that was one change too many for the next one.
    /// - Throws: `deviceNotAllowed` during the cooling-off, whatever else is wrong; `tokenInvalid` where the session or its device ended
    ///   meanwhile; what `DeviceSet.apply` throws; `scopeInsufficient` for whoever is no person.
    package func updateDevices(
        _ updates: [DeviceUpdate], as session: Session, once: Once<DeviceList>? = nil
    ) async throws -> DeviceList {
        let (name, current) = try Self.person(session)
        return try await write(once) { transaction in
            // Two that delete each other at once: the session of the second is over by now (attack D3).
            guard try SessionRow.find(session.id.text, at: transaction.now, on: transaction.connection) != nil else {
                throw Refusal(.tokenInvalid)
            }
            try transaction.update(updates, of: name, from: current)
            return try transaction.deviceList(of: name, current: current)
        }
    }

    /// The user and the device of a person's session.
    private static func person(_ session: Session) throws(Refusal) -> (UserName, UUIDText) {
        guard case .person(let name) = session.owner, let device = session.device else {
            throw Refusal(.scopeInsufficient)
        }
        return (name, device)
    }
}

extension Transaction {
    /// A user's devices. For one of them that asks, those that were not deleted.
    fileprivate func deviceList(of name: UserName, current: UUIDText?) throws -> DeviceList {
        let settings = try settings()
        let row = try DeviceChangesRow.load(name.text, on: connection)
        let rows = try DeviceRow.list(userName: name.text, on: connection)
        let alive = rows.filter { $0.state != .deleted }
        // As many as a list may have: where there are more, it is the oldest deleted ones that are left out.
        let deleted = current == nil ? rows.filter { $0.state == .deleted } : []
        let shown = Set((alive + deleted.suffix(max(0, Page.limit - alive.count))).prefix(Page.limit).map(\.id))
        return DeviceList(
            devices: try rows.filter { shown.contains($0.id) }
                .map { try Device($0, current: current, settings.probation, at: now) },
            coolingOffUntil: CoolingOff(times: row.times, until: row.until).end(at: now, by: settings.coolingOff))
    }

    fileprivate func update(_ updates: [DeviceUpdate], of name: UserName, from current: UUIDText) throws {
        var changes = try DeviceChangesRow.load(name.text, on: connection)
        var coolingOff = CoolingOff(times: changes.times, until: changes.until)
        try coolingOff.change(updates.count, at: now, by: settings().coolingOff)
        let rows = try DeviceRow.list(userName: name.text, on: connection)
        var devices = DeviceSet(
            try rows.map { row in
                guard let id = UUIDText(row.id) else { throw StorageError(.corrupt, "a device has an id that is none") }
                return DeviceSet.Device(id: id, name: row.name, state: DeviceState(row.state))
            })
        try devices.apply(updates, from: current)
        for (row, device) in zip(rows, devices.devices) {
            guard let update = updates.first(where: { $0.device == device.id }) else { continue }
            var row = row
            row.name = device.name
            row.state = DeviceRow.State(device.state)
            try row.update(on: connection)
            if device.state == .deleted {
                try endSessions(.device(row.id))
                try PushTokenRow.delete(row.id, on: connection)
            }
            let kind: DeviceEvent.Kind = update.operation == .delete ? .deleted : .renamed
            try tell(DeviceEvent(kind, of: name, device: device.id, name: device.name, by: current))
        }
        changes.times = coolingOff.times
        changes.until = coolingOff.until
        try changes.save(on: connection)
    }

    /// Until when the device that asks for a signature may not have one; nil: it may, or there is no device.
    ///
    /// - Throws: `tokenInvalid` where it is no active device any more (attack D4).
    func probation(of asker: Asker) throws -> Int64? {
        guard let device = asker.device else { return nil }
        guard let row = try DeviceRow.find(device.text, on: connection), row.state == .active else {
            throw Refusal(.tokenInvalid)
        }
        return try settings().probation.end(activatedAt: row.activatedAt, at: now)
    }
}
