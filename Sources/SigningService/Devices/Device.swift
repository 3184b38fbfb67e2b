package import CountersignVerifier
package import Devices
internal import Signing
internal import Storage

/// A device as its user sees it: a key pair that stands for them.
package struct Device: Sendable {
    /// Its id, the claim `device`.
    package let id: UUIDText
    /// Whom it stands for.
    package let user: UserName
    /// What they call it.
    package let name: String
    /// The RFC 7638 thumbprint of its key.
    package let thumbprint: String
    /// Where it is in its life.
    package let state: DeviceState
    /// Whether it is the one that asks (rule D06).
    package let isCurrent: Bool
    /// When it was enrolled, milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// When it was let in.
    package let activatedAt: Int64
    /// When it was last used, give or take a minute.
    package let lastAccessAt: Int64
    /// When the operator blocked it, where it is blocked.
    package let blockedAt: Int64?
    /// Until when it may neither sign nor approve, where it is on probation.
    package let probationUntil: Int64?

    init(_ row: DeviceRow, current: UUIDText? = nil, _ probation: Probation, at now: Int64) throws {
        guard let id = UUIDText(row.id), let user = UserName(row.userName) else {
            throw StorageError(.corrupt, "a device has an id or a user that is none")
        }
        self.id = id
        self.user = user
        name = row.name
        thumbprint = row.thumbprint
        state = DeviceState(row.state)
        isCurrent = id == current
        createdAt = row.createdAt
        activatedAt = row.activatedAt
        lastAccessAt = row.lastAccessAt
        blockedAt = row.blockedAt
        probationUntil = state == .deleted ? nil : probation.end(activatedAt: row.activatedAt, at: now)
    }
}

/// A user's devices, and whether they can be changed now.
package struct DeviceList: Sendable {
    /// Oldest first.
    package let devices: [Device]
    /// Until when none of them can be renamed or deleted by their user, milliseconds since 1970; nil: they can.
    package let coolingOffUntil: Int64?
}

extension DeviceState {
    init(_ state: DeviceRow.State) {
        switch state {
        case .active: self = .active
        case .blocked: self = .blocked
        case .deleted: self = .deleted
        }
    }
}

extension DeviceRow.State {
    init(_ state: DeviceState) {
        switch state {
        case .active: self = .active
        case .blocked: self = .blocked
        case .deleted: self = .deleted
        }
    }
}
