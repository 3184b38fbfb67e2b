internal import CountersignKeys
package import CountersignVerifier
internal import Notifications
package import Sessions
internal import Signing
package import Storage

extension SigningEngine {
    /// Asks persons to sign a text for a relying service, whose name the statements have as `aud`.
    ///
    /// - Throws: what is wrong with the text, as `start`, before anything else; `requestTermsMalformed`, `groupUnknown`; 214 for a level
    ///   that nobody here can answer; `deviceNotAllowed` where all devices of the one person who is asked are on probation for longer than
    ///   the request lives; `tooManyOpen`. Not whether there is such a user: then nobody answers.
    package func ask(
        _ draft: RequestDraft, as client: ClientName, once: Once<MadeRequest>? = nil
    ) async throws -> MadeRequest {
        var ids: [UUIDText] = []
        for _ in 0...RequestAudience.maxPersons { ids.append(try Self.newID()) }
        let (id, others) = (ids[0], Array(ids.dropFirst()))
        let code = try MatchCode.random()
        let life = draft.life ?? RequestLife.standard
        return try await write(once) { transaction in
            guard let probe = UserName("user") else { throw Refusal(.internalFault) }
            let signing = try SigningRequest(
                user: probe, payload: draft.payload.span, reason: draft.reason.span, level: draft.level,
                type: draft.type, audience: client.text,
                isLevelZeroAllowed: transaction.settings().isLevelZeroAllowed)
            if signing.authentication == .idv { throw Refusal(.methodNotSupported, .noAuthenticator) }
            guard RequestLife.range.contains(life) else {
                throw Refusal(.requestTermsMalformed, .member("expires_in"))
            }
            let (audience, group) = try transaction.audience(of: draft)
            let matter = RequestMatter(
                id: id, asker: client.text, requester: draft.requester, payload: signing.payload.text,
                reason: signing.reason.text, level: draft.level, type: draft.type, quorum: audience.quorum)
            let match = try transaction.match(draft.match, code)
            let request = try transaction.ask(
                audience, matter, group: group, life: life, match: match, ids: others)
            return MadeRequest(request: request, matchCode: match?.code)
        }
    }

    /// A request as it stands now, with what came of it.
    ///
    /// - Throws: `requestUnknown`, also for another service's.
    package func request(_ id: UUIDText, as client: ClientName) async throws -> RequestRecord {
        let clock = clock
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            let (row, _) = try transaction.request(id, of: client)
            return try transaction.record(of: row, withOutcome: true)
        }
    }

    /// A page of what a service asked, newest first, without what came of it.
    package func requests(of client: ClientName, _ page: Page) async throws -> [RequestRecord] {
        let clock = clock
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            return try RequestRow.list(client: client.text, page: page, on: connection)
                .map { try transaction.record(of: $0, withOutcome: false) }
        }
    }

    /// Takes a request back: nothing is signed for it any more. Harmless where that was done already.
    ///
    /// - Throws: `requestUnknown`, also for another service's; `requestOver`, `requestExpired`.
    package func cancel(request id: UUIDText, as client: ClientName) async throws {
        try await write { transaction in
            let (row, _) = try transaction.request(id, of: client)
            try transaction.apply(.cancel, to: row)
        }
    }
}

extension Transaction {
    /// Whom a draft asks, and the name of the group.
    fileprivate func audience(of draft: RequestDraft) throws -> (RequestAudience, group: String?) {
        switch draft.persons {
        case .person(let user): return (try RequestAudience(user, without: draft.requester), nil)
        case .several(let users, let required):
            return (try RequestAudience(users, required: required, without: draft.requester), nil)
        case .group(let name, let required):
            guard let row = try GroupRow.find(name.text, on: connection) else { throw Refusal(.groupUnknown) }
            let users = row.members.compactMap { UserName($0) }
            return (try RequestAudience(users, required: required, without: draft.requester), name.text)
        }
    }

    /// The match code of a request: what it says itself, else the setting.
    fileprivate func match(_ choice: RequestDraft.MatchChoice?, _ code: MatchCode) throws -> Match? {
        switch choice {
        case nil: Match(code, try settings().matchMode)
        case .required: Match(code, .required)
        case .offered: Match(code, .offered)
        case .without: nil
        }
    }

    /// A request as it stands now.
    fileprivate func record(of row: RequestRow, withOutcome: Bool) throws -> RequestRecord {
        var request = try row.request()
        // Nobody has looked since it ended, so the row does not say so yet.
        _ = try request.handle(.expire, at: now)
        guard withOutcome, case .done = request.state else {
            return RequestRecord(request: request, group: row.group, outcome: nil)
        }
        var statements: [StatementRow] = []
        for case .signed(let id) in request.persons.values {
            guard let statement = try StatementRow.find(jti: id.text, on: connection) else {
                throw StorageError(.corrupt, "a signing request has lost a statement")
            }
            statements.append(statement)
        }
        guard request.matter.quorum != nil else {
            let outcome = try statements.first.map { RequestRecord.Outcome.statement(try SignedResult($0)) }
            return RequestRecord(request: request, group: row.group, outcome: outcome)
        }
        var kids: [String] = []
        for statement in statements where !kids.contains(statement.kid) { kids.append(statement.kid) }
        let keys = try kids.sorted().map { kid in
            guard let row = try KeyRow.find(kid, on: connection) else { throw Refusal(.keyUnknown) }
            return try SigningKey(row).key
        }
        let bundle: UnverifiedBundle
        do { bundle = try UnverifiedBundle(collecting: statements.map(\.text), keys: .set(keys)) } catch {
            throw StorageError(.corrupt, "the statements of a signing request do not belong together: \(error)")
        }
        return RequestRecord(request: request, group: row.group, outcome: .bundle(bundle.text))
    }
}
