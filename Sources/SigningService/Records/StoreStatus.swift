package import Storage

/// A store at a glance.
package struct StoreStatus: Sendable {
    /// Its name and age.
    package let facts: StoreFacts
    /// The thumbprint of the key that signs; nil where none does.
    package let activeKey: String?
    /// The thumbprint of the root key.
    package let rootKey: String?
    /// Whether the root key's private half is in the store.
    package let holdsRootKey: Bool
    /// How many users there are.
    package let users: Int
    /// How many statements were signed.
    package let statements: Int
    /// How many signings wait for their answer.
    package let openCeremonies: Int
    /// How many rows the audit has.
    package let auditRows: Int
    /// The newest recorded time, milliseconds since 1970.
    package let newestTime: Int64?
}

extension SigningEngine {
    /// The store at a glance.
    package func status() async throws -> StoreStatus {
        let now = clock.now()
        let facts = try await facts()
        return try await database.read { connection in
            let root = try KeyRow.list(purpose: .root, on: connection).first
            return StoreStatus(
                facts: facts, activeKey: try KeyRow.list(purpose: .sign, state: .active, on: connection).first?.kid,
                rootKey: root?.kid, holdsRootKey: root?.sealed != nil,
                users: try UserRow.list(on: connection).count, statements: try StatementRow.count(on: connection),
                openCeremonies: try CeremonyRow.listOpen(on: connection).count { $0.expiresAt > now },
                auditRows: try AuditRow.count(on: connection),
                newestTime: try AuditRow.newestRecordedTime(on: connection))
        }
    }
}
