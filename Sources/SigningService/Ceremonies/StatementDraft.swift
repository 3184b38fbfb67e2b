internal import CountersignKeys
internal import CountersignVerifier
internal import Signing
internal import Storage

/// A statement that was signed but is not on record yet: it must not be given out.
struct StatementDraft: Sendable {
    let claims: Claims
    let keyID: String
    /// How the person authenticated; nil at level 0.
    let method: EvidenceKind?
    /// When it was signed, milliseconds since 1970.
    let time: Int64
    /// What is given out once it is on record.
    let result: SignedResult
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
        let signer = StatementSigner(key.half)
        let claims = try order.claims(issuer: basis.issuer, id: Self.newID(), at: time)
        let text = try StatementText.sign(claims, with: signer)
        return StatementDraft(
            claims: claims, keyID: signer.keyID, method: order.proof?.kind, time: time,
            result: SignedResult(claims: claims, statement: text))
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
    func record(_ draft: StatementDraft, from ceremony: CeremonyRow) throws {
        let claims = draft.claims
        try StatementRow(
            jti: claims.id.text, ceremony: ceremony.id, userName: ceremony.userName, issuedAt: draft.time,
            level: ceremony.level, type: ceremony.type, kid: draft.keyID, payload: ceremony.payload,
            reason: ceremony.reason, audience: ceremony.audience, text: draft.result.statement
        ).insert(on: connection)
        try record(.signed, ceremony: ceremony, jti: claims.id.text, method: draft.method?.rawValue)
    }
}
