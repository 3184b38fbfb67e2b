internal import CountersignKeys
package import CountersignVerifier
package import Signing
internal import Storage

/// A signing as it stands: what is asked, what waits for an answer, or what came of it.
package struct SigningRecord: Sendable {
    /// Where it is.
    package enum State: String, Sendable, CaseIterable { case challenged, signed, failed, cancelled, expired }

    /// The id of the ceremony.
    package let id: UUIDText
    /// Where it is.
    package let state: State
    /// Who signs.
    package let user: UserName
    /// 100, or 102 after a wrong answer, or 153 where it ended without a signature (rules S30, S31, C09).
    package let status: OperationStatus
    /// Which challenge is open; nil where none is.
    package let generation: Int?
    /// What to answer with; nil where no challenge is open.
    package let method: EvidenceKind?
    /// How many answers may still be wrong; nil where no challenge is open.
    package let attemptsLeft: Int?
    /// What is signed.
    package let payload: String
    /// Why it is signed.
    package let reason: String
    /// The level.
    package let level: Int
    /// The type.
    package let authenticatorType: Int
    /// The relying service that asked, if one did.
    package let audience: String?
    /// When it started, milliseconds since 1970.
    package let issuedAt: Int64
    /// When its challenge ends, milliseconds since 1970; nil where no challenge is open.
    package let expiresAt: Int64?
    /// The result, where it is signed.
    package let result: SignedResult?

    /// A signing that waits for the answer to this challenge.
    init(_ challenge: Challenge) {
        self.init(challenge.run, .challenged, challenge.status, challenge: challenge)
    }

    /// A signing that was just completed.
    init(_ run: Run, _ result: SignedResult) {
        self.init(run, .signed, .success, result: result)
    }

    private init(
        _ run: Run, _ state: State, _ status: OperationStatus, challenge: Challenge? = nil, result: SignedResult? = nil
    ) {
        let request = run.request
        id = run.id
        self.state = state
        user = request.user
        self.status = status
        generation = challenge?.run.generation
        method = challenge?.method
        attemptsLeft = challenge?.attemptsLeft
        payload = request.payload.text
        reason = request.reason.text
        level = request.level.rawValue
        authenticatorType = request.type.rawValue
        audience = request.audience
        issuedAt = run.issuedAt
        expiresAt = challenge?.run.expiresAt
        self.result = result
    }

    /// A signing whose ceremony is forgotten, by its statement.
    init(_ row: StatementRow) throws {
        let result = try SignedResult(row)
        guard let id = UUIDText(row.ceremony), let user = UserName(row.userName) else {
            throw StorageError(.corrupt, "a statement has a ceremony or a user that is none")
        }
        self.id = id
        state = .signed
        self.user = user
        status = .success
        generation = nil
        method = nil
        attemptsLeft = nil
        payload = row.payload
        reason = row.reason
        level = row.level
        authenticatorType = row.type
        audience = row.audience
        issuedAt = row.issuedAt
        expiresAt = nil
        self.result = result
    }
}

extension Transaction {
    /// A signing as it stands now.
    func signing(_ row: CeremonyRow) throws -> SigningRecord {
        let run = try row.run()
        switch row.state {
        case .challenged where now < row.expiresAt:
            let ceremony = try Ceremony(row, attemptsLeft: try attemptsLeft(row))
            guard case .challenged(let challenge) = ceremony.state else { break }
            return SigningRecord(challenge)
        case .challenged, .expired: return SigningRecord(run, .expired)
        case .failed: return SigningRecord(run, .failed)
        case .cancelled: return SigningRecord(run, .cancelled)
        case .completed: break
        }
        guard let statement = try StatementRow.find(ceremony: row.id, on: connection) else {
            throw StorageError(.corrupt, "a completed ceremony has no statement")
        }
        return SigningRecord(run, try SignedResult(statement))
    }
}

extension SigningRecord {
    /// A signing that ended without a signature.
    fileprivate init(_ run: Run, _ state: State) {
        self.init(run, state, .cancelled)
    }
}

extension SignedResult {
    /// The result that was given out with a statement of the store.
    init(_ row: StatementRow) throws {
        let text = Array(row.text.utf8)
        guard let statement = try? UnverifiedStatement(text.span) else {
            throw StorageError(.corrupt, "the statement \(row.jti) cannot be read")
        }
        self.init(claims: statement.claims, statement: text)
    }
}
