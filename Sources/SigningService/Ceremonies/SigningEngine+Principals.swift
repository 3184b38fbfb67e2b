package import CountersignKeys
package import CountersignVerifier
package import Sessions
package import Signing
package import Storage

/// What came of an answer, as a request that names itself keeps it.
package enum Answered: Sendable {
    /// It was right.
    case signed(SigningRecord)
    /// It was wrong, or came too late.
    case refused(Refusal)
}

extension SigningEngine {
    /// Starts a signing for a session. A person signs for themselves, if they logged in not too long ago. A relying service asks at
    /// level 0 for a user that it names, and is the statement's `aud`. Operators sign nothing.
    ///
    /// - Parameters:
    ///   - user: for services, and only for them.
    ///   - payloads: the bytes to be signed, exactly as they are.
    ///   - access: for a session that is only presumed, the hash of its token: then nothing is signed unless it is still there.
    /// - Throws: a refusal; what is wrong with the request leaves the store as it was. `stepUpNeeded`: log in again (RFC 9470).
    ///   `scopeInsufficient` for operators. `memberMissing` for a service without a user, `memberUnknown` for a person with one.
    package func start(
        as session: Session, user: UserName? = nil, payloads: Payloads, reason: [UInt8], level: Int, type: Int,
        confirming access: [UInt8]? = nil, once: Once<SigningRecord>? = nil
    ) async throws -> SigningRecord {
        let (signer, audience, authTime): (UserName, String?, Int64?)
        switch session.owner {
        case .person(let name):
            guard user == nil else { throw Refusal(.memberUnknown, .member("user")) }
            (signer, audience, authTime) = (name, nil, session.authTime)
        case .service(let client):
            guard let user else { throw Refusal(.memberMissing, .member("user")) }
            (signer, audience, authTime) = (user, client.text, nil)
        case .operator: throw Refusal(.scopeInsufficient)
        }
        let asker = Asker(session: session.id, device: session.device)
        let begun = try await begin(level: level, asker, access, authTime: authTime, once: once) { isLevelZeroAllowed in
            let request = try SigningRequest(
                user: signer, payloads: payloads, reason: reason.span, level: level, type: type, audience: audience,
                isLevelZeroAllowed: isLevelZeroAllowed)
            if audience != nil, request.authentication != .none {
                throw Refusal(.methodNotSupported, .pair(level: level, type: type))
            }
            return request
        }
        switch begun {
        case .challenged(let challenge): return SigningRecord(challenge)
        case .signed(let run, let draft): return SigningRecord(run, try draft.results())
        }
    }

    /// Answers the open challenge of a session with a password.
    ///
    /// - Parameter generation: that of the challenge that was shown; nil: whichever is open.
    /// - Throws: `authenticationFailed` for a wrong answer, with the number of attempts that are left, 0 when the signing is over;
    ///   `ceremonyUnknown` where it is of another session, user or device (attack S6); what `answer(_:with:)` throws.
    package func answer(
        ceremony id: UUIDText, as session: Session, generation: Int?, password: SecretBytes,
        once: Once<Answered>? = nil
    ) async throws -> SigningRecord {
        let clock = clock
        let challenge = try await database.read { connection in
            try Transaction(connection, clock: clock).challenge(id, of: session, generation)
        }
        switch try await answer(challenge, with: password, once: once) {
        case .signed(let result): return SigningRecord(challenge.run, [result])
        case .signedAll(let results): return SigningRecord(challenge.run, results)
        case .challenged(let next): throw Refusal(.authenticationFailed, .attemptsLeft(next.attemptsLeft))
        }
    }

    /// A signing as it stands now, also long after: for one whose answer was lost on its way.
    ///
    /// - Throws: `ceremonyUnknown`, also for another user's or another service's.
    package func signing(_ id: UUIDText, as owner: Session.Owner) async throws -> SigningRecord {
        let clock = clock
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            if let row = try CeremonyRow.find(id.text, on: connection) {
                guard owner.sees(user: row.userName, audience: row.audience) else { throw Refusal(.ceremonyUnknown) }
                return try transaction.signing(row)
            }
            guard let record = try SigningRecord(StatementRow.list(ceremony: id.text, on: connection)),
                owner.sees(user: record.user.text, audience: record.audience)
            else { throw Refusal(.ceremonyUnknown) }
            return record
        }
    }

    /// Ends a signing, if it is open. Harmless at any time, and twice (S32).
    ///
    /// - Throws: `ceremonyUnknown`, also for another user's or another service's.
    package func reset(ceremony id: UUIDText, as owner: Session.Owner) async throws {
        try await write { transaction in
            guard let row = try CeremonyRow.find(id.text, on: transaction.connection) else {
                // What was signed at level 0, or long ago, is known by its statement.
                guard let row = try StatementRow.list(ceremony: id.text, on: transaction.connection).first,
                    owner.sees(user: row.userName, audience: row.audience)
                else { throw Refusal(.ceremonyUnknown) }
                return
            }
            guard owner.sees(user: row.userName, audience: row.audience) else { throw Refusal(.ceremonyUnknown) }
            guard row.state == .challenged else { return }
            try transaction.reset(Ceremony(row, attemptsLeft: 0), row)
        }
    }

    /// A page of the statements that an owner may see, newest first: a person their own, a service those that it asked for, an
    /// operator all.
    package func statements(
        _ filter: StatementRow.Filter, _ page: Page, as owner: Session.Owner
    ) async throws -> [StatementRow] {
        var filter = filter
        switch owner {
        case .person(let name):
            guard filter.userName.map({ $0.utf8.elementsEqual(name.text.utf8) }) ?? true else { return [] }
            filter.userName = name.text
        case .service(let name):
            guard filter.audience.map({ $0.utf8.elementsEqual(name.text.utf8) }) ?? true else { return [] }
            filter.audience = name.text
        case .operator: break
        }
        return try await statements(filter, page)
    }

    /// A statement by its signature id.
    ///
    /// - Throws: `statementUnknown`, also for another user's or another service's.
    package func statement(_ id: UUIDText, as owner: Session.Owner) async throws -> StatementRow {
        guard let row = try await statement(id), owner.sees(user: row.userName, audience: row.audience) else {
            throw Refusal(.statementUnknown)
        }
        return row
    }
}

extension Session.Owner {
    /// Whether a signing of this user, asked for by this service, is theirs to see.
    fileprivate func sees(user: String, audience: String?) -> Bool {
        switch self {
        case .person(let name): user.utf8.elementsEqual(name.text.utf8)
        case .service(let name): audience.map { $0.utf8.elementsEqual(name.text.utf8) } ?? false
        case .operator: true
        }
    }
}

extension Transaction {
    /// The challenge that a session may answer.
    fileprivate func challenge(_ id: UUIDText, of session: Session, _ generation: Int?) throws -> Challenge {
        let asker = Asker(session: session.id, device: session.device)
        guard let row = try CeremonyRow.find(id.text, on: connection) else { throw Refusal(.ceremonyUnknown) }
        let run = try row.run()
        // First, so that a stranger learns nothing else (attack S6).
        guard run.asker == asker, session.owner.user == run.request.user else { throw Refusal(.ceremonyUnknown) }
        var ceremony = try Ceremony(row, attemptsLeft: try attemptsLeft(row))
        if case .challenged(let challenge) = ceremony.state, generation ?? run.generation == run.generation {
            return challenge
        }
        do {
            // Says why there is none to answer.
            _ = try ceremony.handle(.answer(generation: generation ?? run.generation, .password, from: asker), at: now)
        } catch {
            throw try reason(for: error, run)
        }
        throw Refusal(.noChallenge)
    }
}
