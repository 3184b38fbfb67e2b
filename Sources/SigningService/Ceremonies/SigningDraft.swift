internal import CountersignKeys
internal import CountersignVerifier
internal import Glibc
internal import Signing
internal import Storage

/// What was signed, or will be by the time that it is on record: it must not be given out before.
struct SigningDraft: Sendable {
    /// The id of the statement; of a batch, of the first.
    let id: UUIDText
    let keyID: String
    /// When it was signed, milliseconds since 1970.
    let time: Int64
    fileprivate let work: Work
    fileprivate let entry: AuditRow

    fileprivate enum Work: Sendable {
        case done(SignedPortion)
        case shared(Portions<SignedPortion>)
    }

    /// Whether all of it is signed. Else it takes as long as the record does to have the results.
    var isSigned: Bool {
        switch work {
        case .done: true
        case .shared: false
        }
    }

    /// What is given out once it is on record: one result, or those of a batch in their order.
    ///
    /// - Throws: what the signer threw.
    func results() throws -> [SignedResult] {
        switch work {
        case .done(let signed): return signed.results
        case .shared(let portions):
            var results: [SignedResult] = []
            results.reserveCapacity(portions.count * StatementSigning.portion)
            for number in 0..<portions.count { results += try portions.value(number).results }
            return results
        }
    }
}

/// Some of what one ceremony ordered, signed.
private struct SignedPortion: Sendable {
    /// Of the first.
    let id: UUIDText
    let results: [SignedResult]
    /// The rows: what they cost is paid before the transaction, which others wait for.
    let rows: StatementRow.Prepared
}

extension SigningEngine {
    /// Signs what a ceremony ordered, in memory, with the key that is active now.
    func draft(_ order: SigningOrder) async throws -> SigningDraft {
        let basis = try await basis()
        return try await draft(order, on: basis, at: basis.time)
    }

    /// Signs what a ceremony ordered, in memory.
    ///
    /// - Throws: `noActiveKey`.
    func draft(_ order: SigningOrder, on basis: SigningBasis, at time: Int64) async throws -> SigningDraft {
        guard let key = basis.key else { throw Refusal(.noActiveKey) }
        let signing = StatementSigning(order: order, issuer: basis.issuer, key: key, time: time)
        var entry = AuditRow(
            at: time, event: AuditEvent.signed.rawValue, method: order.proof?.kind.rawValue, result: 0)
        entry.describe(order.run)
        if let batch = order.run.request.batch {
            entry.detail = "batch of \(batch.items.count), digest \(batch.digest)"
        }
        if signing.portions > 1 {
            let portions = Portions(signing.portions) { try signing.sign(portion: $0) }
            await portions.begin(
                returningAfter: signing.portionsBefore, processors: StatementSigning.processors)
            let id = try portions.value(0).id
            return SigningDraft(id: id, keyID: key.id, time: time, work: .shared(portions), entry: entry)
        }
        let signed = try signing.sign(portion: 0)
        if order.run.request.batch == nil { entry.jti = signed.id.text }
        return SigningDraft(id: signed.id, keyID: key.id, time: time, work: .done(signed), entry: entry)
    }
}

/// The work of signing what one ceremony ordered.
private struct StatementSigning: Sendable {
    /// How many one thread signs before another may have its turn: about a millisecond.
    static let portion = 32
    static let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))

    let order: SigningOrder
    let issuer: String
    let key: OpenedKey
    let time: Int64

    /// How many statements: one, or those of a batch.
    private var count: Int { order.run.request.batch?.items.count ?? 1 }

    /// How many portions they are.
    var portions: Int { (count + Self.portion - 1) / Self.portion }

    /// How many portions of a batch are signed before its transaction begins, for which others wait. While the rows of those are written
    /// the rest is signed: a row costs a third of a quick signature.
    var portionsBefore: Int {
        switch key.half.algorithm {
        case .es256, .edDSA: portions - portions * 3 / 10
        case .es384, .ps256, .rs256: portions
        }
    }

    /// Signs a portion, counted from 0.
    func sign(portion number: Int) throws -> SignedPortion {
        let start = number * Self.portion
        return try key.withSigner { signer throws in
            try sign(start..<min(start + Self.portion, count), with: signer)
        }
    }

    private func sign(_ indices: Range<Int>, with signer: StatementSigner) throws -> SignedPortion {
        let request = order.run.request
        var first: UUIDText?
        var results: [SignedResult] = []
        results.reserveCapacity(indices.count)
        var rows = StatementRow.Prepared(
            ceremony: order.run.id.text, userName: request.user.text, issuedAt: time, level: request.level.rawValue,
            type: request.type.rawValue, kid: key.id, reason: request.reason.text, audience: request.audience)
        for index in indices {
            // Where nobody was asked the ceremony is the signature and nothing else: one id, in one index.
            let isAll = order.proof == nil && request.batch == nil
            let id = try isAll ? order.run.id : SigningEngine.newStatementID()
            let claims = try order.claims(issuer: issuer, id: id, at: time, index: index)
            let result = SignedResult(claims: claims, statement: try StatementText.sign(claims, with: signer))
            rows.add(
                jti: id.text, payload: claims.payload, text: result.statement,
                place: request.batch == nil ? 0 : index + 1, reference: request.batch?.items[index].reference)
            first = first ?? id
            results.append(result)
        }
        guard let first else { throw Refusal(.batchEmpty) }
        return SignedPortion(id: first, results: results, rows: rows)
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

    /// Puts what was signed and its audit row on record: the last step of commit C.
    func record(_ draft: SigningDraft) throws {
        switch draft.work {
        case .done(let signed): try signed.rows.insert(on: connection)
        case .shared(let portions):
            for number in 0..<portions.count { try portions.value(number).rows.insert(on: connection) }
        }
        var entry = draft.entry
        entry.at = now
        try entry.append(on: connection)
    }
}
