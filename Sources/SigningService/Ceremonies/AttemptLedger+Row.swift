internal import CountersignVerifier
internal import Signing
internal import Storage

extension AttemptLedger {
    /// The ledger as its row says.
    init(_ row: LedgerRow, rules: AttemptRules) {
        self.init(
            rules: rules, wrong: row.wrong, wrongTotal: row.wrongTotal, rounds: row.rounds,
            blockedUntil: row.blockedUntil, needsOperator: row.needsOperator,
            inFlight: row.inFlight.compactMap { attempt in
                UUIDText(attempt.id).map { Attempt(id: $0, expiresAt: attempt.expiresAt) }
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
