internal import CountersignKeys
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
        let settings = try await settings()
        let request = try SigningRequest(
            user: user, payload: payload.span, reason: reason.span, level: level, type: type, audience: audience,
            isLevelZeroAllowed: settings.isLevelZeroAllowed)
        switch try await begin(request, asker) {
        case .challenged(let challenge): return .challenged(challenge)
        case .signed(_, let draft): return .signed(draft.result)
        }
    }

    /// How a signing began.
    enum Begun: Sendable {
        case challenged(Challenge)
        case signed(Run, StatementDraft)
    }

    /// Begins a signing.
    ///
    /// - Parameter authTime: when the asker logged in, milliseconds since 1970; nil where that does not count.
    /// - Throws: `stepUpNeeded` where that is too long ago.
    func begin(
        _ request: SigningRequest, _ asker: Asker, authTime: Int64? = nil, once: Once<SigningRecord>? = nil
    ) async throws -> Begun {
        let id = try Self.newID()
        guard request.authentication == .none else {
            return .challenged(try await challenge(request, asker, id: id, authTime, once))
        }
        return try await signUnauthenticated(request, asker, id: id, authTime, once)
    }

    /// Commit A: the ceremony with its challenge.
    private func challenge(
        _ request: SigningRequest, _ asker: Asker, id: UUIDText, _ authTime: Int64?, _ once: Once<SigningRecord>?
    ) async throws -> Challenge {
        let masterKey = masterKey
        return try await write { transaction in
            try transaction.begin(once)
            try transaction.checkStepUp(authTime)
            try transaction.tidyUp()
            let standing = try transaction.standing(of: request.user, asker)
            var (ceremony, _) = try transaction.ceremony(of: asker)
            let effects = try ceremony.handle(.start(request, standing, id: id), at: transaction.now)
            guard case .present(let challenge) = effects.last else { throw Refusal(.noChallenge) }
            try CeremonyRow(challenge).insert(on: transaction.connection)
            try transaction.keep(SigningRecord(challenge), once, masterKey)
            return challenge
        }
    }

    /// Level 0: commit C alone.
    private func signUnauthenticated(
        _ request: SigningRequest, _ asker: Asker, id: UUIDText, _ authTime: Int64?, _ once: Once<SigningRecord>?
    ) async throws -> Begun {
        let clock = clock
        let masterKey = masterKey
        let order = try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            try transaction.checkStepUp(authTime)
            var (ceremony, _) = try transaction.ceremony(of: asker)
            let standing = try transaction.standing(of: request.user, asker)
            let effects = try ceremony.handle(.start(request, standing, id: id), at: transaction.now)
            guard case .sign(let order) = effects.last else { throw Refusal(.noChallenge) }
            return order
        }
        while true {
            let draft = try await draft(order)
            let isOnRecord = try await write { transaction in
                try transaction.begin(once)
                guard try transaction.consume(order, draft) else { return false }
                try transaction.keep(SigningRecord(order.run, draft.result), once, masterKey)
                return true
            }
            if isOnRecord { return .signed(order.run, draft) }
        }
    }

    static func newID() throws -> UUIDText {
        guard let id = UUIDText(try SecureRandom.uuid()) else {
            throw KeyError(.randomFailed, "the random source made no UUID")
        }
        return id
    }
}

extension Transaction {
    /// Commit C of a signing at level 0.
    ///
    /// - Returns: false where another key is active by now.
    fileprivate func consume(_ order: SigningOrder, _ draft: StatementDraft) throws -> Bool {
        guard try activeKey().kid == draft.keyID else { return false }
        let request = order.run.request
        guard try settings().isLevelZeroAllowed else { throw Refusal(.methodNotSupported, .levelZeroOff) }
        guard let user = try UserRow.find(request.user.text, on: connection), !user.isLocked else {
            throw Refusal(.authenticationFailed)
        }
        var (ceremony, _) = try ceremony(of: order.run.asker)
        let standing = try standing(of: request.user, order.run.asker)
        _ = try ceremony.handle(.start(request, standing, id: order.run.id), at: now)
        _ = try ceremony.handle(.issued(generation: ceremony.generation, draft.claims.id), at: now)
        var row = CeremonyRow(order.run)
        row.state = .completed
        row.jti = draft.claims.id.text
        try row.insert(on: connection)
        try record(draft, from: row)
        return true
    }

    /// Refuses somebody who logged in too long ago (RFC 9470).
    fileprivate func checkStepUp(_ authTime: Int64?) throws {
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
            attemptsLeft: ledger.isBlocked(at: now) ? rules.attempts : ledger.attemptsLeft)
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
