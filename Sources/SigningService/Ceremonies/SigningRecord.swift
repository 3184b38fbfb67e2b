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
    /// What is signed; of a batch, the line that stands for it.
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
    /// The result, where it is signed; nil for a batch, which has one for each payload.
    package let result: SignedResult?
    /// What is signed at once, where it is several and they wait or are signed.
    package let batch: BatchRecord?

    /// A signing that waits for the answer to this challenge.
    init(_ challenge: Challenge) {
        self.init(
            challenge.run, .challenged, challenge.status, challenge: challenge,
            batch: challenge.run.request.batch.map { BatchRecord($0, []) })
    }

    /// A signing that was just completed.
    init(_ run: Run, _ results: [SignedResult]) {
        self.init(
            run, .signed, .success, result: run.request.batch == nil ? results.first : nil,
            batch: run.request.batch.map { BatchRecord($0, results) })
    }

    private init(
        _ run: Run, _ state: State, _ status: OperationStatus, challenge: Challenge? = nil,
        result: SignedResult? = nil, batch: BatchRecord? = nil
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
        self.batch = batch
    }

    /// A signing whose ceremony is forgotten or was a batch, by what came of it.
    ///
    /// - Parameter issuedAt: when it started, where that is known.
    init?(_ rows: [StatementRow], issuedAt: Int64? = nil) throws {
        guard let row = rows.first else { return nil }
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
        reason = row.reason
        level = row.level
        authenticatorType = row.type
        audience = row.audience
        self.issuedAt = issuedAt ?? row.issuedAt
        expiresAt = nil
        if row.place > 0 {
            let signed = try BatchRecord(rows)
            (payload, result, batch) = (Batch.line(signed.digest, of: rows.count), nil, signed)
        } else {
            (payload, result, batch) = (row.payload, try SignedResult(row), nil)
        }
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
        let statements = try StatementRow.list(ceremony: row.id, on: connection)
        guard let record = try SigningRecord(statements, issuedAt: run.issuedAt) else {
            throw StorageError(.corrupt, "a completed ceremony has no statement")
        }
        return record
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
