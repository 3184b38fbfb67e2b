package import CountersignVerifier
internal import Signing
package import Storage

extension SigningEngine {
    /// A statement by its signature id, or nil.
    package func statement(_ id: UUIDText) async throws -> StatementRow? {
        try await database.read { try StatementRow.find(jti: id.text, on: $0) }
    }

    /// What a ceremony led to: no statement, one, or those of a batch in their order. For one whose answer was lost on its way.
    package func statements(ofCeremony id: UUIDText) async throws -> [StatementRow] {
        try await database.read { try StatementRow.list(ceremony: id.text, on: $0) }
    }

    /// A page of what was signed, newest first.
    package func statements(
        _ filter: StatementRow.Filter, _ page: Page
    ) async throws -> [StatementRow] {
        try await database.read { try StatementRow.list(filter, page: page, on: $0) }
    }

    /// A page of what was put into the outbox and what became of it, newest first.
    package func deliveries(_ filter: OutboxRow.Filter, _ page: Page) async throws -> [OutboxRow] {
        try await database.read { try OutboxRow.list(filter, page: page, on: $0) }
    }

    /// A page of the audit, newest first.
    package func audit(_ filter: AuditRow.Filter, _ page: Page) async throws -> [AuditRow] {
        try await database.read { try AuditRow.list(filter, page: page, on: $0) }
    }
}
