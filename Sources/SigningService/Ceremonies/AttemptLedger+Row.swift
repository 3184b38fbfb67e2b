internal import CountersignVerifier
internal import Signing
internal import Storage

extension AttemptLedger {
    /// The ledger as its row says.
    ///
    /// - Throws: `StorageError.corrupt` where an attempt is none: it must not be forgotten.
    init(_ row: LedgerRow, rules: AttemptRules, at now: Int64) throws {
        let latest = now.saturatingAdd(Challenge.lifetime)
        self.init(
            rules: rules, wrong: row.wrong, wrongTotal: row.wrongTotal, rounds: row.rounds,
            blockedUntil: row.blockedUntil, needsOperator: row.needsOperator,
            inFlight: try row.inFlight.map { attempt in
                guard let id = UUIDText(attempt.id) else {
                    throw StorageError(.corrupt, "an attempt of \(row.userName) has an id that is none")
                }
                return Attempt(id: id, expiresAt: min(attempt.expiresAt, latest))
            })
    }

    /// Whether no answer counts now.
    func isBlocked(at now: Int64) -> Bool {
        needsOperator || blockedUntil.map { now < $0 } ?? false
    }
}

extension LedgerRow {
    /// Takes over what a ledger says.
    ///
    /// - Parameter ceremony: the one that took an attempt which is new.
    mutating func take(_ ledger: AttemptLedger, ceremony: String) {
        let known = Dictionary(inFlight.map { ($0.id, $0.ceremony) }) { first, _ in first }
        wrong = ledger.wrong
        wrongTotal = ledger.wrongTotal
        rounds = ledger.rounds
        blockedUntil = ledger.blockedUntil
        needsOperator = ledger.needsOperator
        inFlight = ledger.inFlight.map {
            Attempt(id: $0.id.text, ceremony: known[$0.id.text] ?? ceremony, expiresAt: $0.expiresAt)
        }
    }
}

extension Transaction {
    /// Changes a ledger, and writes it where something changed.
    ///
    /// - Parameter ceremony: the one that takes an attempt; empty for none.
    @discardableResult
    func changeLedger<T>(
        _ user: String, _ purpose: LedgerRow.Purpose, ceremony: String, _ change: (inout AttemptLedger) -> T
    ) throws -> T {
        var row = try LedgerRow.load(user, purpose, on: connection)
        let before = try AttemptLedger(row, rules: settings().attempts, at: now)
        var ledger = before
        let result = change(&ledger)
        // Who waits asks again and again, and must not write each time.
        guard ledger != before else { return result }
        row.take(ledger, ceremony: ceremony)
        try row.save(at: now, on: connection)
        return result
    }
}
