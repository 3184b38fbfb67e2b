import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing

extension ServiceModel {
    mutating func add(_ question: Question) {
        questions.append(question)
        changed.questions.insert(questions.count - 1)
        changed.people.insert(question.person)
    }

    // MARK: Asking

    func notifyObjections(_ person: Int, by origin: Question.Origin, at now: Int64) -> Set<Code> {
        guard !people[person].isLocked else { return [origin == .anOperator ? .userLocked : .authenticationFailed] }
        let waiting = questions.filter {
            $0.person == person && $0.origin != .service && $0.matter == .message && $0.state(at: now) == .pending
        }
        let own = origin == .anOperator ? 0 : waiting.count { $0.origin == origin }
        return waiting.count >= 100 || own >= 20 ? [.tooManyOpen] : []
    }

    // MARK: Answering

    func answerObjections(
        _ number: Int, _ action: String, code: String?, from login: Int, at now: Int64
    ) -> Set<Code> {
        let (question, device) = (questions[number], logins[login].device)
        guard isAlive(login, at: now) else { return [.tokenInvalid] }
        guard question.person == devices[device].person else { return [.notificationUnknown] }
        var found = question.objections(at: now)
        if isOnProbation(device, at: now) { found.insert(.deviceNotAllowed) }
        if question.origin == .service, question.matter != .message, !question.sentTo.contains(device) {
            found.insert(.deviceNotAllowed)
        }
        if question.level == nil { found.insert(.notificationWithoutActions) }
        if question.level != nil, !["Accept", "Reject"].contains(action) { found.insert(.actionNotOffered) }
        guard found.isEmpty else { return found }
        if action == "Accept", let right = question.code, right != code { return [.matchCodeWrong] }
        return signs(question, action) ? startObjections(login, at: now) : []
    }

    func signs(_ question: Question, _ action: String) -> Bool {
        guard action == "Accept", let level = question.level else { return false }
        if case .request = question.matter { return true }
        return level > 0
    }

    /// A wrong match code was brought. With the third one it is over.
    mutating func mismatched(_ number: Int, at now: Int64) {
        questions[number].wrong += 1
        if questions[number].wrong == 3 { close(number, .discarded(at: now), at: now) }
    }

    func dismissObjections(_ number: Int, from login: Int, at now: Int64) -> Set<Code> {
        let (question, device) = (questions[number], logins[login].device)
        guard isAlive(login, at: now) else { return [.tokenInvalid] }
        guard question.person == devices[device].person else { return [.notificationUnknown] }
        if question.origin == .service, !question.sentTo.contains(device) { return [.scopeInsufficient] }
        if case .dismissed = question.state { return [] }
        return question.objections(at: now)
    }

    /// - Parameter origin: who wants to take it back.
    func withdrawObjections(_ number: Int, by origin: Question.Origin, at now: Int64) -> Set<Code> {
        let question = questions[number]
        if origin != .anOperator, question.origin != origin { return [.notificationUnknown] }
        if question.matter != .message || question.origin != origin { return [.scopeInsufficient] }
        if case .discarded = question.state { return [] }
        return question.objections(at: now)
    }

    // MARK: The end

    /// What waits is over, the signings that were to answer it with it, and what it is about learns of it.
    ///
    /// - Parameter blocks: whether the person who rejected a new device wants no other one, too.
    mutating func close(
        _ number: Int, _ state: Notification.State, at now: Int64, isNotMe: Bool = false, blocks: Bool = false
    ) {
        guard questions[number].state == .pending else { return }
        questions[number].state = state
        changed.questions.insert(number)
        changed.people.insert(questions[number].person)
        cancelSignings { $0.question == number }
        switch questions[number].matter {
        case .message: break
        case .request(let request): settle(request, by: number, at: now)
        case .activation(let activation): settle(activation, by: number, isNotMe: isNotMe, blocks: blocks, at: now)
        }
    }

    /// Takes back what waits, or says that its time was over.
    mutating func withdraw(_ number: Int, at now: Int64) {
        guard questions[number].state == .pending else { return }
        let end = questions[number].end
        close(number, now >= end ? .expired(at: end) : .discarded(at: now), at: now)
    }

    /// Time went by: what ended of a person is closed, as whoever looks at their history does.
    mutating func expire(_ person: Int, at now: Int64) {
        for number in questions.indices where questions[number].person == person && now >= questions[number].end {
            close(number, .expired(at: questions[number].end), at: now)
        }
    }

    mutating func cancelSignings(where isMeant: (Signing) -> Bool) {
        for number in signings.indices where signings[number].state == .open && isMeant(signings[number]) {
            signings[number].state = .cancelled
        }
    }
}
