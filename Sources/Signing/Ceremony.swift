package import CountersignVerifier

/// The ceremony of one session: at most one run at a time, as a value.
///
/// Every change is an event with its time; the answer is the effects that somebody with a store and a clock carries out. A
/// refused event leaves the ceremony untouched. The whole table is in `Vectors/signing/ceremony.json`.
package struct Ceremony: Sendable, Hashable {
    /// Where a ceremony is.
    package enum State: Sendable, Hashable {
        /// Nothing is asked.
        case idle
        /// A challenge waits for its answer. Several answers to it may be checked at once; the first right one counts.
        case challenged(Challenge)
        /// The statement is being signed. Passes by inside one step of the service and is not for stores.
        case signing(SigningOrder)
        /// Signed, with this `jti`.
        case completed(UUIDText)
        /// Ended without a signature.
        case failed(Refusal)
        /// Declined by the person.
        case cancelled
        /// Not answered in time.
        case expired
    }

    /// Grows with every start and every reset, so that what answers an older challenge is known as late.
    package private(set) var generation: Int
    /// Where it is.
    package private(set) var state: State

    /// A ceremony as a store kept it; by default a new one.
    package init(generation: Int = 0, state: State = .idle) {
        self.generation = generation
        self.state = state
    }

    /// Lets an event happen at a time.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: What has to be done now, in this order.
    /// - Throws: Why the event does not stand; nothing has changed then.
    package mutating func handle(_ event: Event, at now: Int64) throws(Refusal) -> [Effect] {
        switch event {
        case .start(let request, let standing, let id, let end):
            try start(request, standing, id: id, end: end, at: now)
        case .answer(let generation, let kind, let asker):
            [.takeAttempt(try answered(generation, by: kind, from: asker, at: now))]
        case .verified(let generation, let check):
            try verified(try challenge(generation, at: now), check, at: now)
        case .issued(let generation, let id):
            try issued(generation, id, at: now)
        case .cancel(let generation):
            end(try challenge(generation, at: now).run, as: .cancelled, .cancelled, at: now)
        case .reset:
            reset(at: now)
        case .expire:
            expire(at: now)
        }
    }

    private mutating func start(
        _ request: SigningRequest, _ standing: Standing, id: UUIDText, end: Int64, at now: Int64
    ) throws(Refusal) -> [Effect] {
        if let run, now < run.expiresAt { throw Refusal(.ceremonyOpen) }
        if let until = standing.probationUntil, now < until {
            throw Refusal(.deviceNotAllowed, .probation(until: until))
        }
        let method = request.authentication.first(of: standing.available)
        if method == nil, request.authentication != .none {
            throw Refusal(.methodNotSupported, .noAuthenticator)
        }
        let forgotten = expire(at: now)
        advance()
        let run = Run(
            id: id, generation: generation, request: request, asker: standing.asker, issuedAt: now,
            expiresAt: min(end, now.saturatingAdd(Challenge.lifetime)))
        guard let method else { return forgotten + order(SigningOrder(run: run, proof: nil)) }
        let challenge = Challenge(
            run: run, method: method, attemptsLeft: standing.attemptsLeft, status: .success)
        state = .challenged(challenge)
        return forgotten + [.present(challenge)]
    }

    private func answered(
        _ generation: Int, by kind: EvidenceKind, from asker: Asker, at now: Int64
    ) throws(Refusal) -> Challenge {
        // First, so that a stranger learns nothing else (attack S6).
        if let run, run.asker != asker { throw Refusal(.ceremonyUnknown) }
        let challenge = try challenge(generation, at: now)
        if challenge.method != kind { throw Refusal(.evidenceKind) }
        return challenge
    }

    private mutating func verified(
        _ challenge: Challenge, _ check: Check, at now: Int64
    ) throws(Refusal) -> [Effect] {
        switch check {
        case .right(let proof):
            if challenge.method != proof.kind { throw Refusal(.evidenceKind) }
            return order(SigningOrder(run: challenge.run, proof: proof))
        case .wrong(let left) where left > 0:
            let next = Challenge(
                run: challenge.run, method: challenge.method, attemptsLeft: left, status: .authenticationFailed)
            let entry = AuditEntry(
                outcome: .wrongAnswer(left: left), run: challenge.run, method: challenge.method, time: now)
            state = .challenged(next)
            return [.audit(entry), .present(next)]
        case .wrong, .blocked:
            return end(challenge.run, as: .failed(.exhausted), .exhausted, at: now)
        }
    }

    private mutating func order(_ order: SigningOrder) -> [Effect] {
        state = .signing(order)
        return [.sign(order)]
    }

    private mutating func issued(_ generation: Int, _ id: UUIDText, at now: Int64) throws(Refusal) -> [Effect] {
        guard generation == self.generation else { throw Refusal(.challengeReplaced) }
        guard case .signing(let order) = state else {
            // Without a right answer there is nothing to issue.
            if case .challenged = state { throw Refusal(.ceremonyOpen) }
            throw noChallenge
        }
        if now >= order.run.expiresAt { throw Refusal(.challengeExpired) }
        return end(order.run, as: .completed(id), .signed(id), at: now) + [.release(id)]
    }

    private mutating func reset(at now: Int64) -> [Effect] {
        if state == .idle { return [] }
        defer { advance() }
        guard let run else {
            state = .idle
            return []
        }
        return end(run, as: .idle, .reset, at: now)
    }

    private mutating func expire(at now: Int64) -> [Effect] {
        guard let run, now >= run.expiresAt else { return [] }
        return end(run, as: .expired, .expired, at: now)
    }

    private mutating func end(
        _ run: Run, as end: State, _ outcome: AuditEntry.Outcome, at now: Int64
    ) -> [Effect] {
        let entry = AuditEntry(outcome: outcome, run: run, method: method, time: now)
        state = end
        return [.audit(entry)]
    }

    private mutating func advance() {
        if generation < .max { generation += 1 }
    }
}

extension Ceremony {
    /// The run that is open, if any, in time or not.
    package var run: Run? {
        switch state {
        case .challenged(let challenge): challenge.run
        case .signing(let order): order.run
        case .idle, .completed, .failed, .cancelled, .expired: nil
        }
    }

    private var method: EvidenceKind? {
        switch state {
        case .challenged(let challenge): challenge.method
        case .signing(let order): order.proof?.kind
        case .idle, .completed, .failed, .cancelled, .expired: nil
        }
    }

    /// The challenge that an event of this generation belongs to, as long as it is in time.
    private func challenge(_ generation: Int, at now: Int64) throws(Refusal) -> Challenge {
        guard generation == self.generation else { throw Refusal(.challengeReplaced) }
        guard case .challenged(let challenge) = state else { throw noChallenge }
        if now >= challenge.run.expiresAt { throw Refusal(.challengeExpired) }
        return challenge
    }

    /// Why there is no challenge in this state.
    private var noChallenge: Refusal {
        switch state {
        case .idle, .challenged: Refusal(.noChallenge)
        case .signing, .completed: Refusal(.ceremonyAnswered)
        case .failed(let refusal): refusal
        case .cancelled: Refusal(.cancelled)
        case .expired: Refusal(.challengeExpired)
        }
    }
}
