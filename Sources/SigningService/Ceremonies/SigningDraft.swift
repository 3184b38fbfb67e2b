internal import CountersignKeys
internal import CountersignVerifier
internal import Signing
internal import Storage

/// What was signed but is not on record yet: it must not be given out.
struct SigningDraft: Sendable {
    /// The id of the statement; of a batch, of the first.
    let id: UUIDText
    let keyID: String
    /// When it was signed, milliseconds since 1970.
    let time: Int64
    /// What is given out once it is on record: one result, or those of a batch in their order.
    let results: [SignedResult]
    /// The rows: what they cost is paid before the transaction, which others wait for.
    fileprivate let statements: [StatementRow.Prepared]
    fileprivate let entry: AuditRow
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
        entry.describe(signing.ceremony)
        let signed: [StatementSigning.Signed]
        if let batch = order.run.request.batch {
            signed = try await signing.signAll(batch.items.count)
            entry.detail = "batch of \(batch.items.count), digest \(batch.digest)"
        } else {
            // Where nobody was asked the ceremony is the signature and nothing else: one id, in one index.
            let id = try order.proof == nil ? order.run.id : Self.newStatementID()
            signed = [try key.withSigner { signer throws in try signing.sign(id, at: nil, with: signer) }]
            entry.jti = id.text
        }
        guard let first = signed.first else { throw Refusal(.batchEmpty) }
        return SigningDraft(
            id: first.id, keyID: key.id, time: time, results: signed.map(\.result), statements: signed.map(\.row),
            entry: entry)
    }
}

/// The work of signing what one ceremony ordered.
private struct StatementSigning: Sendable {
    struct Signed: Sendable {
        let id: UUIDText
        let result: SignedResult
        let row: StatementRow.Prepared
    }

    /// How many one thread signs before another may have its turn: some two milliseconds.
    static let portion = 64

    let order: SigningOrder
    let issuer: String
    let key: OpenedKey
    let time: Int64
    let ceremony: CeremonyRow

    init(order: SigningOrder, issuer: String, key: OpenedKey, time: Int64) {
        self.order = order
        self.issuer = issuer
        self.key = key
        self.time = time
        ceremony = CeremonyRow(order.run)
    }

    /// All statements of a batch, in their order, by as many threads as are free.
    func signAll(_ count: Int) async throws -> [Signed] {
        guard count > Self.portion else { return try sign(0..<count) }
        return try await withThrowingTaskGroup(of: (Int, [Signed]).self) { group in
            let starts = Array(stride(from: 0, to: count, by: Self.portion))
            for (number, start) in starts.enumerated() {
                group.addTask { (number, try sign(start..<min(start + Self.portion, count))) }
            }
            var portions = [[Signed]](repeating: [], count: starts.count)
            for try await (number, signed) in group { portions[number] = signed }
            return portions.flatMap(\.self)
        }
    }

    private func sign(_ indices: Range<Int>) throws -> [Signed] {
        try key.withSigner { signer throws in
            try indices.map { try sign(SigningEngine.newStatementID(), at: $0, with: signer) }
        }
    }

    /// One statement.
    ///
    /// - Parameter index: which payload of a batch, from 0; nil without a batch.
    func sign(_ id: UUIDText, at index: Int?, with signer: StatementSigner) throws -> Signed {
        let claims = try order.claims(issuer: issuer, id: id, at: time, index: index ?? 0)
        let result = SignedResult(claims: claims, statement: try StatementText.sign(claims, with: signer))
        let reference = index.flatMap { order.run.request.batch?.items[$0].reference }
        let row = StatementRow(
            jti: id.text, ceremony: ceremony.id, userName: ceremony.userName, issuedAt: time, level: ceremony.level,
            type: ceremony.type, kid: key.id, payload: claims.payload, reason: ceremony.reason,
            audience: ceremony.audience, text: result.statement, place: index.map { $0 + 1 } ?? 0,
            reference: reference)
        return Signed(id: id, result: result, row: row.prepared)
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
        for statement in draft.statements { try statement.insert(on: connection) }
        var entry = draft.entry
        entry.at = now
        try entry.append(on: connection)
    }
}
