internal import CountersignKeys
internal import CountersignVerifier
internal import Signing
internal import Storage

/// A statement that was signed but is not on record yet: it must not be given out.
struct StatementDraft: Sendable {
    let claims: Claims
    let keyID: String
    /// When it was signed, milliseconds since 1970.
    let time: Int64
    /// What is given out once it is on record.
    let result: SignedResult
    /// The rows of both: what they cost is paid before the transaction, which others wait for.
    fileprivate let statement: StatementRow.Prepared
    fileprivate let entry: AuditRow
}

extension SigningEngine {
    /// Signs what a ceremony ordered, in memory, with the key that is active now.
    func draft(_ order: SigningOrder) async throws -> StatementDraft {
        let basis = try await basis()
        return try draft(order, on: basis, at: basis.time)
    }

    /// Signs what a ceremony ordered, in memory.
    ///
    /// - Throws: `noActiveKey`.
    func draft(_ order: SigningOrder, on basis: SigningBasis, at time: Int64) throws -> StatementDraft {
        guard let key = basis.key else { throw Refusal(.noActiveKey) }
        // Where nobody was asked the ceremony is the signature and nothing else: one id, in one index.
        let id = order.proof == nil ? order.run.id : try Self.newStatementID()
        let claims = try order.claims(issuer: basis.issuer, id: id, at: time)
        let result = SignedResult(claims: claims, statement: try key.sign(claims))
        let ceremony = CeremonyRow(order.run)
        var entry = AuditRow(
            at: time, event: AuditEvent.signed.rawValue, jti: claims.id.text, method: order.proof?.kind.rawValue,
            result: 0)
        entry.describe(ceremony)
        return StatementDraft(
            claims: claims, keyID: key.id, time: time, result: result,
            statement: StatementRow(
                jti: claims.id.text, ceremony: ceremony.id, userName: ceremony.userName, issuedAt: time,
                level: ceremony.level, type: ceremony.type, kid: key.id, payload: ceremony.payload,
                reason: ceremony.reason, audience: ceremony.audience, text: result.statement
            ).prepared, entry: entry)
    }
}

extension Transaction {
    /// The key that signs now.
    ///
    /// - Throws: `noActiveKey`.
    func activeKey() throws -> KeyRow {
        guard let key = try KeyRow.list(purpose: .sign, state: .active, on: connection).first else {
            throw Refusal(.noActiveKey)
        }
        return key
    }

    /// Puts a statement and its audit row on record: the last step of commit C.
    func record(_ draft: StatementDraft) throws {
        try draft.statement.insert(on: connection)
        var entry = draft.entry
        entry.at = now
        try entry.append(on: connection)
    }
}
