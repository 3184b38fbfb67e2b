internal import CountersignVerifier
internal import Notifications
internal import Signing
internal import Storage

extension RequestRow {
    /// The row of a new request.
    init(_ request: PersonsRequest, group: String?) {
        let matter = request.matter
        self.init(
            id: matter.id.text, client: matter.asker, requester: matter.requester?.text, group: group,
            payload: matter.payload, reason: matter.reason, level: matter.level, type: matter.type,
            required: request.required, quorum: matter.quorum?.description, createdAt: request.createdAt,
            expiresAt: request.expiresAt, persons: request.persons.keys.sorted().map { Person(userName: $0.text) })
    }

    /// The request as its row says.
    ///
    /// - Throws: `StorageError.corrupt` where the row breaks a rule that no request can break.
    func request() throws -> PersonsRequest {
        let needed = quorum.flatMap { Quorum($0) }
        guard let id = UUIDText(id), (needed == nil) == (quorum == nil), let ended = ended() else {
            throw StorageError(.corrupt, "a signing request says what none can say")
        }
        var answers: [UserName: PersonsRequest.Answer] = [:]
        for person in persons {
            guard let name = UserName(person.userName), let answer = person.value else {
                throw StorageError(.corrupt, "a signing request asks nobody")
            }
            answers[name] = answer
        }
        let matter = RequestMatter(
            id: id, asker: client, requester: requester.flatMap { UserName($0) }, payload: payload, reason: reason,
            level: level, type: type, quorum: needed)
        return PersonsRequest(
            matter, required: required, persons: answers, createdAt: createdAt, expiresAt: expiresAt, state: ended)
    }

    /// Takes over how far it is.
    mutating func take(_ request: PersonsRequest) {
        changedAt = request.state.changedAt
        state =
            switch request.state {
            case .pending: .pending
            case .done: .done
            case .declined: .declined
            case .expired: .expired
            case .cancelled: .cancelled
            }
        for index in persons.indices {
            guard let answer = UserName(persons[index].userName).flatMap({ request.persons[$0] }) else { continue }
            persons[index].take(answer)
        }
    }

    private func ended() -> PersonsRequest.State? {
        switch (state, changedAt) {
        case (.pending, nil): .pending
        case (.done, let time?): .done(at: time)
        case (.declined, let time?): .declined(at: time)
        case (.expired, let time?): .expired(at: time)
        case (.cancelled, let time?): .cancelled(at: time)
        default: nil
        }
    }
}

extension RequestRow.Person {
    fileprivate var value: PersonsRequest.Answer? {
        switch answer {
        case .waiting: .waiting
        case .declined: .declined
        case .over: .over
        case .signed: jti.flatMap { UUIDText($0) }.map { .signed($0) }
        }
    }

    fileprivate mutating func take(_ value: PersonsRequest.Answer) {
        jti = nil
        switch value {
        case .waiting: answer = .waiting
        case .declined: answer = .declined
        case .over: answer = .over
        case .signed(let id): (answer, jti) = (.signed, id.text)
        }
    }
}
