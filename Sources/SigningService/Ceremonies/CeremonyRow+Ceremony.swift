internal import CountersignVerifier
internal import Signing
internal import Storage

extension CeremonyRow {
    /// The row of a new challenge.
    init(_ challenge: Challenge) {
        self.init(challenge.run)
    }

    /// The row of a new run.
    init(_ run: Run) {
        let answered = run.request.occasion?.answered
        var (request, quorum): (String?, String?)
        if case .request(let id, let needed, _, _)? = run.request.occasion {
            (request, quorum) = (id.text, needed?.description)
        }
        self.init(
            id: run.id.text, session: run.asker.session.text, userName: run.request.user.text,
            generation: run.generation, state: .challenged, payload: run.request.payload.text,
            reason: run.request.reason.text,
            level: run.request.level.rawValue, type: run.request.type.rawValue, audience: run.request.audience,
            device: run.asker.device?.text, notification: answered?.notification.text, action: answered?.action,
            request: request, quorum: quorum, batch: run.request.batch?.stored, issuedAt: run.issuedAt,
            expiresAt: run.expiresAt)
    }

    /// The run as it was asked for.
    ///
    /// - Throws: `StorageError.corrupt` where the row breaks a rule that no request can break.
    func run() throws -> Run {
        let device = device.flatMap { UUIDText($0) }
        guard let id = UUIDText(id), (device == nil) == (self.device == nil), let session = UUIDText(session),
            let user = UserName(userName), let request = try? request(of: user)
        else { throw StorageError(.corrupt, "a ceremony holds a request that is none") }
        return Run(
            id: id, generation: generation, request: request, asker: Asker(session: session, device: device),
            issuedAt: issuedAt,
            expiresAt: expiresAt)
    }

    private func request(of user: UserName) throws -> SigningRequest {
        if let batch {
            let request = try SigningRequest(
                user: user, payloads: .batch(Batch.drafts(stored: batch)), reason: reason.utf8Span.span, level: level,
                type: type, audience: audience, isLevelZeroAllowed: true)
            guard request.payload.text.utf8.elementsEqual(payload.utf8) else {
                throw StorageError(.corrupt, "a ceremony holds another batch than the one that was shown")
            }
            return request
        }
        return try SigningRequest(
            user: user, payload: payload, reason: reason, level: level, type: type, audience: audience,
            occasion: occasion(), isLevelZeroAllowed: true)
    }

    private func occasion() throws -> Occasion? {
        guard let notification else { return nil }
        guard let id = UUIDText(notification), let action else {
            throw StorageError(.corrupt, "a ceremony answers a notification that is none")
        }
        guard let request else { return .notification(id, action: action) }
        let needed = quorum.flatMap { Quorum($0) }
        guard let request = UUIDText(request), (needed == nil) == (quorum == nil) else {
            throw StorageError(.corrupt, "a ceremony accepts a request that is none")
        }
        return .request(request, needed, notification: id, action: action)
    }
}

extension Ceremony {
    /// The ceremony as its row says.
    ///
    /// - Parameter attemptsLeft: how many answers may still be wrong; asked for an open one only.
    init(_ row: CeremonyRow, attemptsLeft: @autoclosure () throws -> Int) throws {
        let state: State
        switch row.state {
        case .challenged:
            state = .challenged(
                Challenge(
                    run: try row.run(), method: .password, attemptsLeft: try attemptsLeft(),
                    status: row.wrong > 0 ? .authenticationFailed : .success))
        case .completed:
            guard let jti = row.jti.flatMap({ UUIDText($0) }) else {
                throw StorageError(.corrupt, "a completed ceremony has no statement")
            }
            state = .completed(jti)
        case .failed: state = .failed(.exhausted)
        case .cancelled: state = .cancelled
        case .expired: state = .expired
        }
        self.init(generation: row.generation, state: state)
    }
}

extension Transaction {
    /// Writes a ceremony's new state.
    func save(_ ceremony: Ceremony, as row: inout CeremonyRow) throws {
        switch ceremony.state {
        case .challenged: row.state = .challenged
        case .completed(let jti):
            row.state = .completed
            row.jti = jti.text
        case .failed(let refusal):
            row.state = .failed
            row.code = refusal.code.rawValue
        case .expired: row.state = .expired
        case .idle, .cancelled: row.state = .cancelled
        case .signing: throw StorageError(.corrupt, "a statement that is being signed cannot be kept")
        }
        try row.update(on: connection)
    }

    /// Leaves the audit rows that a ceremony asks for.
    ///
    /// - Parameter detail: what the operator should know of a wrong answer, if not the number of attempts left.
    func record(_ effects: [Ceremony.Effect], of row: CeremonyRow, detail: String? = nil) throws {
        for case .audit(let entry) in effects {
            let method = entry.method?.rawValue
            switch entry.outcome {
            case .signed: continue  // Recorded with the statement.
            case .wrongAnswer(let left):
                try record(
                    .answerWrong, ceremony: row, method: method, result: .authenticationFailed,
                    detail: detail ?? "attempts left: \(left)")
            case .exhausted:
                try record(
                    .attemptsExhausted, ceremony: row, method: method, result: .authenticationFailed, detail: detail)
            case .cancelled, .reset: try record(.ceremonyReset, ceremony: row, method: method, result: .cancelled)
            case .expired: try record(.ceremonyExpired, ceremony: row, method: method, result: .challengeExpired)
            }
        }
    }
}
