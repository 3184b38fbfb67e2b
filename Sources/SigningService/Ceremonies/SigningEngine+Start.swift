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
        let id = try Self.newID()
        guard request.authentication == .none else {
            return .challenged(try await challenge(request, asker, id: id))
        }
        return .signed(try await signUnauthenticated(request, asker, id: id))
    }

    /// Commit A: the ceremony with its challenge.
    private func challenge(_ request: SigningRequest, _ asker: Asker, id: UUIDText) async throws -> Challenge {
        try await write { transaction in
            try transaction.closeExpiredCeremonies()
            let standing = try transaction.standing(of: request.user, asker)
            var (ceremony, _) = try transaction.ceremony(of: asker)
            let effects = try ceremony.handle(.start(request, standing, id: id), at: transaction.now)
            guard case .present(let challenge) = effects.last else { throw Refusal(.noChallenge) }
            try CeremonyRow(challenge).insert(on: transaction.connection)
            return challenge
        }
    }

    /// Level 0: commit C alone.
    private func signUnauthenticated(
        _ request: SigningRequest, _ asker: Asker, id: UUIDText
    ) async throws -> SignedResult {
        let clock = clock
        let (key, issuer, now, order) = try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            var (ceremony, _) = try transaction.ceremony(of: asker)
            let standing = try transaction.standing(of: request.user, asker)
            let effects = try ceremony.handle(.start(request, standing, id: id), at: transaction.now)
            guard case .sign(let order) = effects.last else { throw Refusal(.noChallenge) }
            return (try transaction.activeKey(), try transaction.facts().issuer, transaction.now, order)
        }
        let draft = try sign(order, with: key, issuer: issuer, at: now)
        return try await write { transaction in
            let settings = try transaction.settings()
            guard settings.isLevelZeroAllowed else { throw Refusal(.methodNotSupported, .levelZeroOff) }
            guard try transaction.user(request.user, ifAny: { !$0.isLocked }) else {
                throw Refusal(.authenticationFailed)
            }
            var (ceremony, _) = try transaction.ceremony(of: asker)
            let standing = try transaction.standing(of: request.user, asker)
            _ = try ceremony.handle(.start(request, standing, id: id), at: transaction.now)
            _ = try ceremony.handle(
                .issued(generation: ceremony.generation, draft.claims.id), at: transaction.now)
            var row = CeremonyRow(order.run)
            row.state = .completed
            row.jti = draft.claims.id.text
            try row.insert(on: transaction.connection)
            try transaction.record(draft, from: row)
            return draft.result
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
    /// What is known of somebody who asks. The same for a user who does not exist (S10).
    func standing(of user: UserName, _ asker: Asker) throws -> Standing {
        let rules = try settings().attempts
        let ledger = AttemptLedger(try LedgerRow.load(user.text, on: connection), rules: rules)
        return Standing(
            asker: asker, available: [.password],
            attemptsLeft: ledger.isBlocked(at: now) ? rules.attempts : ledger.attemptsLeft)
    }

    /// The ceremony of a session, and the row of its newest run.
    func ceremony(of asker: Asker) throws -> (Ceremony, CeremonyRow?) {
        guard let row = try CeremonyRow.newest(ofSession: asker.session.text, on: connection) else {
            return (Ceremony(), nil)
        }
        return (try Ceremony(row, attemptsLeft: attemptsLeft(row)), row)
    }

    /// How many answers to an open challenge may still be wrong.
    func attemptsLeft(_ row: CeremonyRow) throws -> Int {
        let rules = try settings().attempts
        let ledger = AttemptLedger(try LedgerRow.load(row.userName, on: connection), rules: rules)
        return ledger.isBlocked(at: now) ? max(0, rules.attempts - row.wrong) : ledger.attemptsLeft
    }

    /// Ends what nobody answered in time.
    func closeExpiredCeremonies() throws {
        for row in try CeremonyRow.closeExpired(at: now, on: connection) {
            try record(.ceremonyExpired, ceremony: row, result: .challengeExpired)
        }
    }

    /// Whether there is such a user, and they are as `condition` says.
    func user(_ name: UserName, ifAny condition: (UserRow) -> Bool) throws -> Bool {
        try UserRow.find(name.text, on: connection).map(condition) ?? false
    }
}
