import CountersignVerifier
import Notifications
import Sessions
import Signing

extension ServiceModel {
    private static let stepUpLife: Int64 = 12 * hour

    // MARK: Signings

    /// Why no signing can begin in a session that is alive.
    func startObjections(_ login: Int, at now: Int64) -> Set<Code> {
        var found: Set<Code> = []
        if now - Self.stepUpLife > logins[login].session.authTime { found.insert(.stepUpNeeded) }
        if signings.contains(where: { $0.login == login && $0.state == .open && now < $0.end }) {
            found.insert(.ceremonyOpen)
        }
        if isOnProbation(logins[login].device, at: now) { found.insert(.deviceNotAllowed) }
        return found
    }

    /// - Parameter question: what it is to answer.
    mutating func started(_ id: UUIDText, _ login: Int, for question: Int?, level: Int, at now: Int64) {
        let end = min(now + 120_000, question.map { questions[$0].end } ?? .max)
        signings.append(Signing(id: id, login: login, question: question, end: end, isInstant: level == 0))
    }

    func signObjections(_ number: Int, from login: Int, at now: Int64) -> Set<Code> {
        let signing = signings[number]
        guard login == signing.login, !signing.isInstant else { return [.ceremonyUnknown] }
        let ofQuestion = signing.question.map { questions[$0].objections(at: now) } ?? []
        var found: Set<Code> = []
        switch signing.state {
        case .signed: return [.ceremonyAnswered]
        case .cancelled: found = ofQuestion.union([.cancelled])
        case .open: break
        }
        if now >= signing.end { found.formUnion(ofQuestion.union([.challengeExpired])) }
        // They may be locked while their password is looked at.
        if people[person(of: login)].isLocked { found.insert(.authenticationFailed) }
        return found
    }

    mutating func signed(_ number: Int, _ statement: UUIDText, at now: Int64) {
        signings[number].state = .signed
        statements[statement] = signings[number].id
        people[person(of: signings[number].login)].wrong = 0
        guard let question = signings[number].question else { return }
        answered(question, "Accept", on: logins[signings[number].login].device, by: statement, at: now)
    }

    mutating func answered(
        _ question: Int, _ action: String, on device: Int, by statement: UUIDText? = nil, at now: Int64,
        isNotMe: Bool = false, blocks: Bool = false
    ) {
        let answer = Notification.Answer(action: action, device: devices[device].id, at: now, signature: statement)
        close(question, .updated(answer), at: now, isNotMe: isNotMe, blocks: blocks)
    }

    // MARK: Signing requests

    func askObjections(_ asked: [Int], by shop: Int, life: Int64, at now: Int64) -> Set<Code> {
        let isFull = asked.contains { person in
            let open = requests.filter { $0.state(at: now) == .pending && $0.answers[person] == .waiting }
            return open.count >= 5 || open.count { $0.shop == shop } >= 3
        }
        var found: Set<Code> = isFull ? [.tooManyOpen] : []
        // Somebody who can sign too late, if at all, and whom nobody stands in for.
        if asked.count == 1, !people[asked[0]].isLocked {
            let devices = activeDevices(of: asked[0])
            let isInVain = !devices.isEmpty && devices.allSatisfy { isOnProbation($0, at: now + life - 1) }
            if isInVain { found.insert(.deviceNotAllowed) }
        }
        return found
    }

    mutating func asked(_ request: Request, line: String, code: String?, at now: Int64) {
        requests.append(request)
        changed.requests.insert(requests.count - 1)
        for person in request.answers.keys.sorted() where !people[person].isLocked {
            add(
                Question(
                    person: person, origin: .shop(request.shop), matter: .request(requests.count - 1),
                    subject: "shop\(request.shop) asks for your signature", line: line, level: request.level,
                    code: code,
                    createdAt: now, end: request.end, sentTo: activeDevices(of: person)))
        }
    }

    func cancelObjections(_ number: Int, by shop: Int, at now: Int64) -> Set<Code> {
        guard requests[number].shop == shop else { return [.requestUnknown] }
        switch requests[number].state(at: now) {
        case .pending, .cancelled: return []
        case .expired: return [.requestExpired]
        case .done, .declined: return [.requestOver]
        }
    }

    mutating func cancelled(_ number: Int, at now: Int64) {
        guard requests[number].state == .pending else { return }
        end(number, .cancelled(at: now), at: now)
    }

    /// What became of the question to one of its persons.
    mutating func settle(_ number: Int, by question: Int, at now: Int64) {
        guard requests[number].state == .pending else { return }
        changed.requests.insert(number)
        let person = questions[question].person
        switch questions[question].state {
        case .pending: return
        case .expired: return end(number, .expired(at: requests[number].end), at: now)
        case .updated(let answer):
            requests[number].answers[person] = answer.signature.map { .signed($0) } ?? .declined
        case .dismissed, .discarded: requests[number].answers[person] = .declined
        }
        let answers = requests[number].answers.values
        let signed = answers.count { if case .signed = $0 { true } else { false } }
        let required = requests[number].required
        if signed >= required {
            end(number, .done(at: now), at: now)
        } else if answers.count - answers.count(where: { $0 == .declined }) < required {
            end(number, .declined(at: now), at: now)
        }
    }

    private mutating func end(_ number: Int, _ state: PersonsRequest.State, at now: Int64) {
        requests[number].state = state
        requests[number].answers = requests[number].answers.mapValues { $0 == .waiting ? .over : $0 }
        changed.requests.insert(number)
        for question in questions.indices where questions[question].matter == .request(number) {
            withdraw(question, at: now)
        }
    }
}
