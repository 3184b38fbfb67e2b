package import CountersignVerifier
internal import Storage

/// A device as its user sees it: a key pair that stands for them.
package struct Device: Sendable {
    /// Where a device is in its life. It never goes back.
    package enum State: String, Sendable, CaseIterable {
        /// It may log in.
        case active
        /// It was deleted.
        case deleted
    }

    /// Its id, the claim `device`.
    package let id: UUIDText
    /// Whom it stands for.
    package let user: UserName
    /// What they call it.
    package let name: String
    /// The RFC 7638 thumbprint of its key.
    package let thumbprint: String
    /// Where it is in its life.
    package let state: State
    /// When it was enrolled, milliseconds since 1970.
    package let createdAt: Int64
    /// When it was last used, milliseconds since 1970, give or take a minute.
    package let lastAccessAt: Int64

    init(_ row: DeviceRow) throws {
        guard let id = UUIDText(row.id), let user = UserName(row.userName) else {
            throw StorageError(.corrupt, "a device has an id or a user that is none")
        }
        self.id = id
        self.user = user
        name = row.name
        thumbprint = row.thumbprint
        state = row.state == .active ? .active : .deleted
        createdAt = row.createdAt
        lastAccessAt = row.lastAccessAt
    }
}

extension SigningEngine {
    /// A user's devices, oldest first; none for a user who does not exist.
    package func devices(of name: UserName) async throws -> [Device] {
        try await database.read { try DeviceRow.list(userName: name.text, on: $0).map { try Device($0) } }
    }
}
