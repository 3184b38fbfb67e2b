package import CountersignVerifier

/// The attempts of one user, as a value: what a wrong answer costs, when the user is blocked, who has to wait.
///
/// An attempt is taken before the evidence is checked and settled after, so a race wins nothing (attack S1). While one is being
/// checked it counts like a wrong answer; a right answer gives it back. Whoever finds none free, but some being
/// checked, waits. None is taken while `rules.attempts` are wrong or unsettled.
///
/// Counted per user, whatever the ceremony, session or device (rule O02, attack S15); unknown users get a ledger too.
package struct AttemptLedger: Sendable, Hashable {
    /// An attempt whose evidence is being checked.
    package struct Attempt: Sendable, Hashable {
        /// Its own id, new for every answer.
        package let id: UUIDText
        /// From this time on it is given back, because whoever took it must have died.
        package let expiresAt: Int64

        /// An attempt as a store kept it.
        package init(id: UUIDText, expiresAt: Int64) {
            self.id = id
            self.expiresAt = expiresAt
        }
    }

    /// The answer to `take`.
    package enum Taken: Sendable, Hashable {
        /// Check the evidence and settle. So many would be left if it were wrong and all that are being checked too.
        case taken(left: Int)
        /// None is free, but some are being checked: ask again when one is settled, at the latest at this time.
        case wait(until: Int64)
        /// Blocked until then. The evidence does not count; the caller spends the same work and says the same as for a wrong answer.
        case blocked(until: Int64)
        /// Only the operator can unlock. Otherwise as `blocked`.
        case locked
    }

    /// The answer to `right`, `wrong`.
    package enum Settlement: Sendable, Hashable {
        /// It was right, and it counts.
        case right
        /// It was wrong. So many answers may still be wrong; at least one.
        case wrong(left: Int)
        /// It was the last wrong one, or a block began meanwhile: whatever it was, it does not count (attack S4).
        case blocked(until: Int64)
        /// The same where only the operator can unlock.
        case locked
        /// It was right, but had been given back already, or was never taken: it does not count.
        case late
    }

    /// The settings.
    package let rules: AttemptRules
    /// Wrong answers since the last right one or block: 0..<`rules.attempts`.
    package private(set) var wrong: Int
    /// Wrong answers since the last right one.
    package private(set) var wrongTotal: Int
    /// Blocks since the last right answer.
    package private(set) var rounds: Int
    /// When the block ends, in milliseconds since 1970; at exactly this time it is over.
    package private(set) var blockedUntil: Int64?
    /// True when only the operator can unlock.
    package private(set) var needsOperator: Bool
    /// What is being checked.
    package private(set) var inFlight: [Attempt]

    /// A ledger as a store kept it; by default a new one. Numbers that cannot be are brought into their range, as they
    /// are when a setting was lowered meanwhile.
    package init(
        rules: AttemptRules = .standard, wrong: Int = 0, wrongTotal: Int = 0, rounds: Int = 0,
        blockedUntil: Int64? = nil, needsOperator: Bool = false, inFlight: [Attempt] = []
    ) {
        self.rules = rules
        self.wrong = min(max(0, wrong), rules.attempts - 1)
        self.wrongTotal = max(self.wrong, wrongTotal)
        self.rounds = max(0, rounds)
        self.blockedUntil = blockedUntil
        self.needsOperator = needsOperator
        self.inFlight = inFlight
    }

    /// How many answers may still be wrong, as a prompt shows it: what is being checked counts as not yet wrong.
    package var attemptsLeft: Int { rules.attempts - wrong }

    /// Takes an attempt for an answer that arrived at `now`.
    ///
    /// - Parameters:
    ///   - id: New for every answer. One that is being checked already has to wait.
    ///   - expiresAt: When the challenge ends; at most the life of a challenge from now.
    package mutating func take(_ id: UUIDText, at now: Int64, expiresAt: Int64) -> Taken {
        giveBackExpired(at: now)
        if needsOperator { return .locked }
        if let blockedUntil, now < blockedUntil { return .blocked(until: blockedUntil) }
        blockedUntil = nil
        let left = rules.attempts - wrong - inFlight.count - 1
        guard left >= 0, !isInFlight(id) else {
            return .wait(until: inFlight.map(\.expiresAt).min() ?? now)
        }
        let latest = now.saturatingAdd(Challenge.lifetime)
        inFlight.append(Attempt(id: id, expiresAt: min(expiresAt, latest)))
        return .taken(left: left)
    }

    /// Settles an attempt whose evidence was right: it is given back and everything starts anew.
    package mutating func right(_ id: UUIDText, at now: Int64) -> Settlement {
        guard settle(id, at: now) else { return .late }
        if let refused = refused(at: now) { return refused }
        self = AttemptLedger(rules: rules, inFlight: inFlight)
        return .right
    }

    /// Settles an attempt whose evidence was wrong. The last one blocks: each block is longer than the one before, and
    /// after it the attempts are back; too many wrong answers in all lock the user.
    ///
    /// It counts even where the attempt had been given back meanwhile: a guess that is timed to end after its challenge is not free.
    package mutating func wrong(_ id: UUIDText, at now: Int64) -> Settlement {
        _ = settle(id, at: now)
        if let refused = refused(at: now) { return refused }
        blockedUntil = nil
        wrong += 1
        if wrongTotal < .max { wrongTotal += 1 }
        if wrongTotal >= rules.operatorAfter { needsOperator = true }
        guard wrong >= rules.attempts else { return needsOperator ? .locked : .wrong(left: attemptsLeft) }
        let until = now.saturatingAdd(rules.block(after: rounds))
        blockedUntil = until
        if rounds < .max { rounds += 1 }
        wrong = 0
        return needsOperator ? .locked : .blocked(until: until)
    }

    /// Gives an attempt back whose evidence could not be checked at all.
    package mutating func giveBack(_ id: UUIDText) {
        inFlight.removeAll { $0.id == id }
    }

    /// The operator's unlocking: block, lock and counts end. What is being checked stays so.
    package mutating func unlock() {
        self = AttemptLedger(rules: rules, inFlight: inFlight)
    }

    /// Ends an attempt. False where it is not, or no longer, being checked.
    private mutating func settle(_ id: UUIDText, at now: Int64) -> Bool {
        giveBackExpired(at: now)
        guard isInFlight(id) else { return false }
        giveBack(id)
        return true
    }

    private func refused(at now: Int64) -> Settlement? {
        if needsOperator { return .locked }
        if let blockedUntil, now < blockedUntil { return .blocked(until: blockedUntil) }
        return nil
    }

    private mutating func giveBackExpired(at now: Int64) {
        inFlight.removeAll { $0.expiresAt <= now }
    }

    private func isInFlight(_ id: UUIDText) -> Bool {
        inFlight.contains { $0.id == id }
    }
}
