internal import CountersignVerifier
internal import Devices
internal import Notifications
internal import Sessions
internal import Signing
internal import Storage

extension Transaction {
    /// How many of the questions that may wait for one person may be of the same service (attack D6): one service alone leaves room for
    /// others.
    static let waitingOfOneService = 3

    /// Asks persons to sign, all in one commit.
    ///
    /// - Parameter ids: of the request, and of the notification to each person.
    /// - Throws: `deviceNotAllowed` where one person is asked who cannot sign before it ends; `tooManyOpen` where too many questions wait
    ///   for one of them.
    func ask(
        _ audience: RequestAudience, _ matter: RequestMatter, group: String?, life: Int64, match: Match?,
        ids: [UUIDText]
    ) throws -> PersonsRequest {
        try expireRequests()
        if case .person(let user) = audience { try checkProbation(of: user, until: now.saturatingAdd(life)) }
        try checkRoom(for: audience.persons, client: matter.asker)
        let request = PersonsRequest(
            matter, required: audience.required,
            persons: Dictionary(uniqueKeysWithValues: audience.persons.map { ($0, .waiting) }), createdAt: now,
            expiresAt: now.saturatingAdd(life))
        try RequestRow(request, group: group).insert(on: connection)
        guard let client = ClientName(matter.asker) else { throw Refusal(.clientNameMalformed) }
        let draft = NotificationDraft(try matter.content(), about: .request(matter), match: match, life: life)
        for (user, id) in zip(audience.persons, ids) {
            // Whoever does not exist or is locked is not asked, and the service does not learn that: it waits in vain.
            guard try UserRow.isActive(user.text, on: connection) else { continue }
            try notify(user, draft, from: .client(client), id: id)
        }
        try record(
            .requestMade,
            detail: "request \(matter.id.text), by \(matter.asker), \(audience.required) of \(audience.persons.count)")
        return request
    }

    /// Makes sure that a person whom nobody else stands in for can sign before a request ends: whoever asks need not wait for what cannot
    /// come. Of somebody who does not exist, is locked or has no device nothing is said.
    ///
    /// - Throws: `deviceNotAllowed` where each of the active devices is on probation until then, with the end of the first probation.
    private func checkProbation(of user: UserName, until end: Int64) throws {
        let probation = try settings().probation
        guard probation != .none, try UserRow.isActive(user.text, on: connection) else { return }
        let ends = try DeviceRow.list(userName: user.text, on: connection).filter { $0.state == .active }
            .map { probation.end(activatedAt: $0.activatedAt, at: now) ?? now }
        guard let first = ends.min(), first >= end else { return }
        throw Refusal(.deviceNotAllowed, .probation(until: first))
    }

    private func checkRoom(for users: [UserName], client: String) throws {
        let limit = try settings().openRequests
        for user in users {
            let (all, own) = try RequestRow.countWaiting(
                for: user.text, client: client, at: now, on: connection)
            guard all < limit else { throw Refusal(.tooManyOpen, .limit(limit)) }
            guard own < Self.waitingOfOneService else {
                throw Refusal(.tooManyOpen, .limit(Self.waitingOfOneService))
            }
        }
    }

    /// The request with this id, of a service.
    ///
    /// - Throws: `requestUnknown`, also where it is another's.
    func request(_ id: UUIDText, of client: ClientName) throws -> (RequestRow, PersonsRequest) {
        guard let row = try RequestRow.find(id.text, on: connection), row.client.utf8.elementsEqual(client.text.utf8)
        else { throw Refusal(.requestUnknown) }
        return (row, try row.request())
    }

    /// Lets something happen to a request, and records it; where that ends it, the questions that still wait are withdrawn.
    func apply(_ event: PersonsRequest.Event, to row: RequestRow) throws {
        var (row, request) = (row, try row.request())
        guard let effect = try request.handle(event, at: now) else { return }
        row.take(request)
        try row.update(on: connection)
        changed.add(.request(request.matter.id))
        guard effect == .closed else { return }
        let detail = "request \(row.id)"
        switch request.state {
        case .pending: break
        case .done: try record(.requestDone, detail: "\(detail), \(request.signed) signed")
        case .declined: try record(.requestDeclined, result: .cancelled, detail: detail)
        case .expired: try record(.requestExpired, result: .requestExpired, detail: detail)
        case .cancelled: try record(.requestCancelled, result: .cancelled, detail: detail)
        }
        for open in try NotificationRow.listPending(aboutID: row.id, on: connection) {
            var notification = try open.record().notification
            if try notification.handle(.expire, at: now) == nil { _ = try notification.handle(.withdraw, at: now) }
            try close(open, notification)
        }
    }

    /// Lets a request learn what became of the question to one of its persons.
    func settle(_ matter: RequestMatter, _ notification: Notification) throws {
        guard let row = try RequestRow.find(matter.id.text, on: connection), row.state == .pending else { return }
        switch notification.state {
        case .pending: return
        case .updated(let answer):
            let event = answer.signature.map { PersonsRequest.Event.signed(notification.user, $0) }
            try apply(event ?? .declined(notification.user), to: row)
        case .dismissed: try apply(.declined(notification.user), to: row)
        // Withdrawn with its request, which is over then, or ended by wrong codes.
        case .discarded: try apply(.declined(notification.user), to: row)
        case .expired: try apply(.expire, to: row)
        }
    }

    /// Closes what nobody answered in time.
    func expireRequests() throws {
        for row in try RequestRow.overdue(at: now, on: connection) { try apply(.expire, to: row) }
    }

    /// Cancels all that wait.
    func cancelRequests() throws {
        try expireRequests()
        for row in try RequestRow.listPending(on: connection) where row.expiresAt > now {
            try apply(.cancel, to: row)
        }
    }
}

extension RequestMatter {
    /// What a person reads of it where a client knows nothing of requests; the request itself says it exactly.
    fileprivate func content() throws(Refusal) -> NotificationContent {
        try NotificationContent(
            approval: "\(asker) asks for your signature", message: "\(reason)\n\n\(payload)", level: level)
    }
}
