package import CountersignKeys
internal import CountersignVerifier
internal import Passwords
package import Signing
internal import Storage

extension SigningEngine {
    /// Answers a challenge with a password: `setPassword(_, 12)` of the codelab (S13).
    ///
    /// The attempt is taken and on record before the password is looked at (S1); the statement is on record before it
    /// is returned.
    ///
    /// - Parameter challenge: the one that was shown. What it shows is what is signed, or nothing is (S7).
    /// - Returns: the result, or the challenge again with one attempt fewer.
    /// - Throws: `authenticationFailed` when no attempt is left, with the status 153; `authenticationBusy` before an
    ///   attempt is taken, where too many passwords are being checked; `challengeExpired`, `ceremonyUnknown`,
    ///   `ceremonyAnswered`, `challengeReplaced`.
    package func answer(
        _ challenge: Challenge, with password: SecretBytes, once: Once<Answered>? = nil
    ) async throws -> SigningOutcome {
        do { try PasswordRules.checkAnswer(password) } catch { throw Refusal(error) }
        let attempt = try Self.newID()
        let (taken, reservation) = try await takeAttempt(attempt, for: challenge, once)
        let isRight: Bool
        do {
            isRight = try await reservation.matches(password, taken.hash)
        } catch {
            await giveBack(attempt, of: challenge)
            throw error.code == .outOfMemory ? Refusal(.authenticationBusy) : error
        }
        guard isRight, taken.counts else {
            do {
                return try await settleWrong(attempt, challenge, taken, once)
            } catch let error as StorageError where error.code == .constraint && once != nil {
                // The same request was faster, and its answer counted.
                await giveBack(attempt, of: challenge)
                throw error
            }
        }
        let results: [SignedResult]
        do {
            results = try await settleRight(attempt, challenge, taken, once)
        } catch {
            // It was right, so it costs nothing. Harmless where the attempt was settled.
            await giveBack(attempt, of: challenge)
            throw error
        }
        if taken.isStored, taken.hash.needsUpgrade(to: taken.settings.passwords) {
            // The signature stands whether or not the hash gets its new parameters now.
            try? await upgrade(password, of: challenge.run.request.user, taken, reservation)
        }
        return try SigningOutcome(challenge.run.request, results)
    }

    // MARK: Commit B

    /// What commit B found.
    fileprivate struct Taken: Sendable {
        /// The user's hash, or somebody else's where there is no such user or no password: the same work is done then.
        let hash: PasswordHash
        /// Whether it is the user's.
        let isStored: Bool
        /// Whether a right password may sign: not for users that are unknown, locked or blocked.
        var counts: Bool
        /// Whether an attempt was taken: not while the user is blocked, when nothing counts.
        var isTaken: Bool
        let settings: Settings
        let userVersion: Int64?
        let now: Int64
    }

    fileprivate enum Taking: Sendable {
        case taken(Taken)
        case wait
        case refused(Refusal)
    }

    /// Takes an attempt together with a place in the hashing queue, which is not held while waiting for an attempt.
    private func takeAttempt(
        _ attempt: UUIDText, for challenge: Challenge, _ once: Once<Answered>?
    ) async throws -> (Taken, PasswordHasher.Reservation) {
        // Per user, as the ledger counts: whoever answers for them.
        try await reserve(for: "step-up \(challenge.run.request.user.text)") {
            let taking = try await write { transaction in
                try transaction.begin(once)
                return try transaction.take(attempt, for: challenge)
            }
            switch taking {
            case .taken(let taken): return taken
            case .refused(let refusal): throw refusal
            case .wait: return nil
            }
        }
    }

    // MARK: Commit C

    private func settleWrong(
        _ attempt: UUIDText, _ challenge: Challenge, _ taken: Taken, _ once: Once<Answered>?
    ) async throws -> SigningOutcome {
        let isTaken = taken.isTaken
        let masterKey = masterKey
        let next: Result<Challenge, Refusal> = try await write { transaction in
            try transaction.begin(once)
            let settled = try transaction.settleWrong(attempt, challenge, isTaken: isTaken)
            do {
                var (ceremony, row) = try transaction.open(challenge)
                row.wrong += 1
                let left = try settled ?? transaction.attemptsLeft(row)
                let check: Ceremony.Check = left > 0 ? .wrong(left: left) : .blocked
                let generation = challenge.run.generation
                let effects = try ceremony.handle(.verified(generation: generation, check), at: transaction.now)
                try transaction.save(ceremony, as: &row)
                try transaction.record(effects, of: row, detail: isTaken ? nil : "not counted: blocked")
                if case .failed = ceremony.state { try transaction.noteFailure(challenge.run) }
                guard case .present(let next) = effects.last else {
                    try transaction.keep(.refused(.exhausted), once, masterKey)
                    return .failure(.exhausted)
                }
                let refusal = Refusal(.authenticationFailed, .attemptsLeft(next.attemptsLeft))
                try transaction.keep(.refused(refusal), once, masterKey)
                return .success(next)
            } catch let met as Refusal {
                // Reset or answered meanwhile. The attempt is spent all the same, and on record.
                let refusal = try transaction.reason(for: met, challenge.run)
                let row = try CeremonyRow.find(challenge.run.id.text, on: transaction.connection)
                try transaction.record(
                    .answerWrong, ceremony: row, method: challenge.method.rawValue, result: .authenticationFailed)
                try transaction.keep(.refused(refusal), once, masterKey)
                return .failure(refusal)
            }
        }
        return .challenged(try next.get())
    }

    private func settleRight(
        _ attempt: UUIDText, _ challenge: Challenge, _ taken: Taken, _ once: Once<Answered>?
    ) async throws -> [SignedResult] {
        let masterKey = masterKey
        let order = try Self.order(for: challenge, at: taken.now)
        while true {
            let draft = try await draft(order)
            let settled = try await write { transaction in
                try transaction.begin(once)
                let settled = try transaction.settleRight(
                    attempt, challenge, order, draft, userVersion: taken.userVersion)
                if case .signed = settled {
                    try transaction.keep(
                        .signed(SigningRecord(challenge.run, draft.results())), once, masterKey)
                }
                return settled
            }
            switch settled {
            case .signed: return try draft.results()
            case .refused(let refusal): throw refusal
            case .keyChanged: continue
            }
        }
    }

    /// What the ceremony orders after a right password. Commit C asks it again, on what is on record then.
    private static func order(for challenge: Challenge, at now: Int64) throws -> SigningOrder {
        var ceremony = Ceremony(generation: challenge.run.generation, state: .challenged(challenge))
        let check = Ceremony.Check.right(.password(at: now))
        let effects = try ceremony.handle(.verified(generation: ceremony.generation, check), at: now)
        guard case .sign(let order) = effects.last else { throw Refusal(.noChallenge) }
        return order
    }

    /// Gives an attempt back after a fault of ours. If that fails as well, it comes back when the challenge ends.
    private func giveBack(_ attempt: UUIDText, of challenge: Challenge) async {
        try? await write { transaction in
            try transaction.changeLedger(of: challenge) { $0.giveBack(attempt) }
        }
    }

    private func upgrade(
        _ password: SecretBytes, of user: UserName, _ taken: Taken, _ reservation: PasswordHasher.Reservation
    ) async throws {
        let hash = try await reservation.hash(password, taken.settings.passwords)
        try await write { transaction in
            let row = try transaction.user(user)
            guard row.password == taken.hash.text else { return }
            try row.rehash(hash.text, on: transaction.connection)
        }
    }
}

extension Transaction {
    /// Takes an attempt, if the challenge is still the one to answer.
    fileprivate func take(_ attempt: UUIDText, for challenge: Challenge) throws -> SigningEngine.Taking {
        let request = challenge.run.request
        do {
            var (ceremony, row) = try open(challenge)
            if ceremony.run != nil, now >= challenge.run.expiresAt {
                let effects = try ceremony.handle(.expire, at: now)
                try save(ceremony, as: &row)
                try record(effects, of: row)
                return .refused(try reason(for: Refusal(.challengeExpired), challenge.run))
            }
            _ = try ceremony.handle(
                .answer(generation: challenge.run.generation, .password, from: challenge.run.asker), at: now)
            if let refusal = try objection(to: challenge.run) {
                try reset(ceremony, row)
                return .refused(refusal)
            }
            if let until = try probation(of: challenge.run.asker) {
                return .refused(Refusal(.deviceNotAllowed, .probation(until: until)))
            }
        } catch let refusal as Refusal {
            return .refused(try reason(for: refusal, challenge.run))
        }
        let user = try UserRow.find(request.user.text, on: connection)
        let settings = try settings()
        var taken = SigningEngine.Taken(
            hash: try hash(of: user, named: request.user.text),
            isStored: user?.password != nil, counts: user.map { !$0.isLocked && $0.password != nil } ?? false,
            isTaken: true, settings: settings, userVersion: user?.version, now: now)
        switch try changeLedger(of: challenge, { $0.take(attempt, at: now, expiresAt: challenge.run.expiresAt) }) {
        case .taken: break
        case .wait: return .wait
        case .blocked, .locked:
            taken.isTaken = false
            taken.counts = false
        }
        return .taken(taken)
    }

    /// Settles a wrong answer in the ledger.
    ///
    /// - Returns: how many may still be wrong, 0 when that was the last; nil where the ledger has no say, since the
    ///   user is blocked.
    fileprivate func settleWrong(_ attempt: UUIDText, _ challenge: Challenge, isTaken: Bool) throws -> Int? {
        guard isTaken else { return nil }
        let settlement = try changeLedger(of: challenge) { $0.wrong(attempt, at: now) }
        switch settlement {
        case .wrong(let left): return left
        case .blocked, .locked: return 0
        case .right, .late: return nil
        }
    }

    fileprivate enum Settled: Sendable {
        case signed
        case refused(Refusal)
        case keyChanged
    }

    /// Commit C: the ceremony is consumed together with statement and audit row, or nothing is.
    fileprivate func settleRight(
        _ attempt: UUIDText, _ challenge: Challenge, _ order: SigningOrder, _ draft: SigningDraft,
        userVersion: Int64?
    ) throws -> Settled {
        let user = challenge.run.request.user
        guard try activeKey().kid == draft.keyID else { return .keyChanged }
        guard try UserRow.find(user.text, on: connection)?.version == userVersion else {
            // Locked, or another password, while this one was checked: it does not count any more.
            try changeLedger(of: challenge) { $0.giveBack(attempt) }
            return try refuseAnswer(challenge, Refusal(.authenticationFailed))
        }
        switch try changeLedger(of: challenge, { $0.right(attempt, at: now) }) {
        case .right: break
        case .late: return try refuseAnswer(challenge, Refusal(.challengeExpired))
        case .wrong, .blocked, .locked: return try refuseAnswer(challenge, .exhausted)
        }
        do {
            var (ceremony, row) = try open(challenge)
            let generation = challenge.run.generation
            let check = Ceremony.Check.right(.password(at: order.proof?.time ?? now))
            guard try ceremony.handle(.verified(generation: generation, check), at: now) == [.sign(order)] else {
                throw Refusal(.challengeReplaced)
            }
            _ = try ceremony.handle(.issued(generation: generation, draft.id), at: now)
            // First: it may refuse, and then nothing may have changed.
            try answer(challenge.run, by: draft.id)
            try save(ceremony, as: &row)
            try record(draft)
            return .signed
        } catch let refusal as Refusal {
            return try refuseAnswer(challenge, refusal)
        }
    }

    /// The right answer came too late, or to something that is no more.
    private func refuseAnswer(_ challenge: Challenge, _ met: Refusal) throws -> Settled {
        let row = try CeremonyRow.find(challenge.run.id.text, on: connection)
        let refusal = try reason(for: met, challenge.run)
        // Its notification has just ended; a ceremony that is over already stays as it is.
        if try objection(to: challenge.run) != nil, let row { try reset(Ceremony(row, attemptsLeft: 0), row) }
        try record(.answerRefused, ceremony: row, method: challenge.method.rawValue, result: refusal.code)
        return .refused(refusal)
    }

    /// The ceremony that a challenge belongs to, and its row.
    ///
    /// - Throws: `ceremonyUnknown` where it is of another session (S6); `challengeReplaced` where what is on record
    ///   is not what was shown (S7).
    fileprivate func open(_ challenge: Challenge) throws -> (Ceremony, CeremonyRow) {
        guard let row = try CeremonyRow.find(challenge.run.id.text, on: connection),
            row.session == challenge.run.asker.session.text
        else { throw Refusal(.ceremonyUnknown) }
        let ceremony = try Ceremony(row, attemptsLeft: try attemptsLeft(row))
        if let run = ceremony.run, run != challenge.run { throw Refusal(.challengeReplaced) }
        return (ceremony, row)
    }

    @discardableResult
    fileprivate func changeLedger<T>(of challenge: Challenge, _ change: (inout AttemptLedger) -> T) throws -> T {
        let run = challenge.run
        return try changeLedger(run.request.user.text, .stepUp, ceremony: run.id.text, change)
    }
}
