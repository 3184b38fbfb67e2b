package import CountersignVerifier
package import Signing
internal import Storage

extension SigningEngine {
    /// Asks a person to sign a text for a reason: `authenticateUserAndSignData` of the codelab (S13).
    ///
    /// At level 0 the text is signed at once. Else the answer is a challenge, which is on record before it is given
    /// out.
    ///
    /// - Parameters:
    ///   - payload: the bytes to be signed, exactly as they are.
    ///   - asker: the session. It has one open signing at a time (O08).
    /// - Throws: a refusal; what is wrong with the request leaves the store as it was.
    package func start(
        user: UserName, payload: [UInt8], reason: [UInt8], level: Int, type: Int, audience: String? = nil,
        asker: Asker
    ) async throws -> SigningOutcome {
        try await start(
            user: user, payloads: .one(payload), reason: reason, level: level, type: type, audience: audience,
            asker: asker)
    }

    /// The same for one text or several at once.
    package func start(
        user: UserName, payloads: Payloads, reason: [UInt8], level: Int, type: Int, audience: String? = nil,
        asker: Asker
    ) async throws -> SigningOutcome {
        let begun = try await begin(level: level, asker) { isLevelZeroAllowed in
            try SigningRequest(
                user: user, payloads: payloads, reason: reason.span, level: level, type: type, audience: audience,
                isLevelZeroAllowed: isLevelZeroAllowed)
        }
        switch begun {
        case .challenged(let challenge): return .challenged(challenge)
        case .signed(let run, let draft): return try SigningOutcome(run.request, draft.results())
        }
    }

    /// How a signing began.
    enum Begun: Sendable {
        case challenged(Challenge)
        case signed(Run, SigningDraft)
    }

    /// Begins a signing.
    ///
    /// - Parameters:
    ///   - access: the hash of the asker's token, where the session is only presumed.
    ///   - authTime: when the asker logged in, milliseconds since 1970; nil where that does not count.
    ///   - parse: makes the request, given whether level 0 is allowed. It may run twice.
    /// - Throws: `stepUpNeeded` where the log-in is too long ago.
    func begin(
        level: Int, _ asker: Asker, _ access: [UInt8]? = nil, authTime: Int64? = nil, once: Once<SigningRecord>? = nil,
        _ parse: (_ isLevelZeroAllowed: Bool) throws -> SigningRequest
    ) async throws -> Begun {
        // At level 0 it becomes the statement's.
        let id = try level == 0 ? Self.newStatementID() : Self.newID()
        // The setting is about level 0 alone.
        guard level == 0 else {
            return .challenged(try await challenge(parse(false), asker, access, id: id, authTime, once))
        }
        // What an earlier transaction saw is enough to begin with. A "no" by it does not count.
        if let hint = lastBasis.value, let request = try? parse(hint.isLevelZeroAllowed),
            let signed = try await signUnauthenticated(request, asker, access, id: id, authTime, once, on: hint)
        {
            return signed
        }
        while true {
            let basis = try await basis()
            let request = try parse(basis.isLevelZeroAllowed)
            if let signed = try await signUnauthenticated(request, asker, access, id: id, authTime, once, on: basis) {
                return signed
            }
        }
    }

    /// Commit A: the ceremony with its challenge.
    private func challenge(
        _ request: SigningRequest, _ asker: Asker, _ access: [UInt8]?, id: UUIDText, _ authTime: Int64?,
        _ once: Once<SigningRecord>?
    ) async throws -> Challenge {
        let masterKey = masterKey
        return try await write { transaction in
            try transaction.confirm(asker.session.text, access)
            try transaction.begin(once)
            let challenge = try transaction.present(request, to: asker, id: id, authTime: authTime)
            try transaction.keep(SigningRecord(challenge), once, masterKey)
            return challenge
        }
    }

    /// Level 0: the statement is signed first, in memory; then commit C alone.
    ///
    /// - Returns: nil where the basis does not hold any more; then nothing happened.
    private func signUnauthenticated(
        _ request: SigningRequest, _ asker: Asker, _ access: [UInt8]?, id: UUIDText, _ authTime: Int64?,
        _ once: Once<SigningRecord>?, on basis: SigningBasis
    ) async throws -> Begun? {
        let masterKey = masterKey
        let once = try once?.tagged(by: requestKey)
        var ceremony = Ceremony()
        let time = max(clock.now(), basis.time)
        // Nobody is challenged, so nothing else of the asker counts.
        let standing = Standing(asker: asker, available: [], attemptsLeft: 0)
        guard case .sign(let order) = try ceremony.handle(.start(request, standing, id: id), at: time).last else {
            throw Refusal(.noChallenge)
        }
        let draft = try await draft(order, on: basis, at: time)
        do {
            try await write { [ceremony] transaction in
                try transaction.confirm(asker.session.text, access)
                func keep() throws {
                    try transaction.keep(SigningRecord(order.run, draft.results()), once, masterKey)
                }
                // First: whatever else there is to say, it was said to the first of two equal requests.
                if draft.isSigned { try keep() } else { try transaction.begin(once) }
                try transaction.checkStepUp(authTime)
                try transaction.consume(ceremony, order, draft)
                if !draft.isSigned { try keep() }
            }
        } catch is BasisChanged {
            return nil
        }
        return .signed(order.run, draft)
    }
}

extension Transaction {
    /// Puts a ceremony with its challenge on record.
    ///
    /// - Parameters:
    ///   - id: new.
    ///   - authTime: when the asker logged in, milliseconds since 1970; nil where that does not count.
    ///   - end: when what it is to answer is over, and the challenge with it.
    func present(
        _ request: SigningRequest, to asker: Asker, id: UUIDText, authTime: Int64?, end: Int64 = .max
    ) throws -> Challenge {
        try checkStepUp(authTime)
        try tidyUp()
        let standing = try standing(of: request.user, asker)
        var (ceremony, _) = try ceremony(of: asker)
        let effects = try ceremony.handle(.start(request, standing, id: id, end: end), at: now)
        guard case .present(let challenge) = effects.last else { throw Refusal(.noChallenge) }
        try CeremonyRow(challenge).insert(on: connection)
        return challenge
    }

    /// Commit C of a signing at level 0. No row of the ceremony: the statement, of which there is one a ceremony, says all of it.
    ///
    /// - Throws: `BasisChanged` where the store says something else than what the statement was signed by.
    func consume(_ ceremony: Ceremony, _ order: SigningOrder, _ draft: SigningDraft) throws {
        let run = order.run
        guard try KeyRow.activeID(on: connection) == draft.keyID, mayDate(draft.time) else { throw BasisChanged() }
        guard try settings().isLevelZeroAllowed else { throw Refusal(.methodNotSupported, .levelZeroOff) }
        guard try UserRow.isActive(run.request.user.text, on: connection) else { throw Refusal(.authenticationFailed) }
        if let until = try probation(of: run.asker) { throw Refusal(.deviceNotAllowed, .probation(until: until)) }
        if let open = try CeremonyRow.findOpen(ofSession: run.asker.session.text, on: connection) {
            var other = try Ceremony(open, attemptsLeft: 0)
            let standing = Standing(asker: run.asker, available: [], attemptsLeft: 0)
            _ = try other.handle(.start(run.request, standing, id: run.id), at: now)
        }
        var ceremony = ceremony
        _ = try ceremony.handle(.issued(generation: ceremony.generation, draft.id), at: now)
        try record(draft)
    }

    /// Refuses somebody who logged in too long ago (RFC 9470).
    func checkStepUp(_ authTime: Int64?) throws {
        guard let authTime else { return }
        let life = try settings().stepUpLife
        guard now.saturatingAdd(-life) <= authTime else {
            throw Refusal(.stepUpNeeded, .maxAge(seconds: life / 1000))
        }
    }

    /// What is known of somebody who asks. The same for a user who does not exist (attack S10).
    func standing(of user: UserName, _ asker: Asker) throws -> Standing {
        let rules = try settings().attempts
        let ledger = try AttemptLedger(LedgerRow.load(user.text, .stepUp, on: connection), rules: rules, at: now)
        return Standing(
            asker: asker, available: [.password],
            attemptsLeft: ledger.isBlocked(at: now) ? rules.attempts : ledger.attemptsLeft,
            probationUntil: try probation(of: asker))
    }

    /// The ceremony of a session, and the row of its newest run.
    func ceremony(of asker: Asker) throws -> (Ceremony, CeremonyRow?) {
        guard let row = try CeremonyRow.newest(ofSession: asker.session.text, on: connection) else {
            return (Ceremony(), nil)
        }
        return (try Ceremony(row, attemptsLeft: try attemptsLeft(row)), row)
    }

    /// How many answers to an open challenge may still be wrong.
    func attemptsLeft(_ row: CeremonyRow) throws -> Int {
        let rules = try settings().attempts
        let ledger = try AttemptLedger(LedgerRow.load(row.userName, .stepUp, on: connection), rules: rules, at: now)
        return ledger.isBlocked(at: now) ? max(0, rules.attempts - row.wrong) : ledger.attemptsLeft
    }

    /// Ends what nobody answered in time, and forgets what ended long ago: what strangers begin must not fill the disk.
    func tidyUp() throws {
        for row in try CeremonyRow.closeExpired(at: now, on: connection) {
            try record(.ceremonyExpired, ceremony: row, result: .challengeExpired)
        }
        // Ledgers stay, those of made-up names too: a count that is forgotten for strangers only would tell who exists.
        let day: Int64 = 86_400_000
        try CeremonyRow.deleteEnded(before: now.saturatingAdd(-day), on: connection)
        try tidySessions()
    }
}
