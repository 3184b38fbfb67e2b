import CountersignVerifier
import Devices
import Notifications
import Signing

extension ServiceModel {
    /// Why a new device cannot go on, where it is over.
    private func objections(_ status: Devices.Activation.Status) -> Set<Code> {
        switch status {
        case .offered, .waiting, .approved, .fallback: []
        case .rejected: [.activationRejected]
        case .cancelled: [.cancelled]
        case .expired: [.activationExpired]
        case .activated: [.deviceKeyTaken]
        }
    }

    private func isAskedTooOften(_ person: Int, at now: Int64) -> Bool {
        people[person].askedAt.count { $0 > now - Self.hour } >= 10
    }

    mutating func began(_ newcomer: Newcomer, _ name: String, of person: Int, at now: Int64) {
        activations.append(Activation(newcomer: newcomer, name: name, person: person, end: now + Self.life))
    }

    func verifyObjections(_ number: Int, at now: Int64) -> Set<Code> {
        let (activation, status) = (activations[number], activations[number].status(at: now))
        guard status == .offered else {
            return status == .fallback ? [.activationMethodUnavailable] : objections(status)
        }
        let waiting = activations.count { $0.person == activation.person && $0.status(at: now) == .waiting }
        if waiting >= 3 { return [.tooManyOpen] }
        return isAskedTooOften(activation.person, at: now) ? [.tooManyRequests] : []
    }

    mutating func verified(_ number: Int, code: String?, at now: Int64) {
        guard activations[number].status(at: now) == .offered else { return }
        let person = activations[number].person
        people[person].askedAt.append(now)
        (activations[number].status, activations[number].end, activations[number].code) = (
            .waiting, now + Self.life, code
        )
        changed.activations.insert(number)
        let asked = activeDevices(of: person).filter { !isOnProbation($0, at: now) }
        guard !asked.isEmpty, !people[person].isLocked, !people[person].admitsNone else { return }
        activations[number].question = questions.count
        add(
            Question(
                person: person, origin: .service, matter: .activation(number), subject: "A new device",
                line: activations[number].name, level: 0, code: code, createdAt: now, end: now + Self.life,
                sentTo: asked))
    }

    func fallBackObjections(_ number: Int, at now: Int64) -> Set<Code> {
        let status = activations[number].status(at: now)
        guard status == .offered else { return objections(status) }
        return isAskedTooOften(activations[number].person, at: now) ? [.tooManyRequests] : []
    }

    mutating func fellBack(_ number: Int, at now: Int64) {
        let status = activations[number].status(at: now)
        guard status != .fallback else { return }
        if status == .offered { people[activations[number].person].askedAt.append(now) }
        activations[number].end = now + 24 * Self.hour
        end(number, .fallback, at: now)
    }

    /// Whoever gives up does so in any state.
    mutating func gaveUp(_ number: Int, at now: Int64) {
        guard !activations[number].status(at: now).isFinal else { return }
        end(number, .cancelled, at: now)
    }

    func finishObjections(_ number: Int, at now: Int64) -> Set<Code> {
        let activation = activations[number]
        var found: Set<Code> = people[activation.person].isLocked ? [.authenticationFailed] : []
        switch activation.status(at: now) {
        case .offered, .waiting: found.insert(.activationPending)
        case .fallback: found.insert(.activationMethodUnavailable)
        case .approved:
            if activation.approver.map({ devices[$0].state }) != .active { found.insert(.activationRejected) }
        case let status: found.formUnion(objections(status))
        }
        return found
    }

    /// It is one of the person's now, by an approval or by a code.
    mutating func finished(_ number: Int, at now: Int64) { end(number, .activated, at: now) }

    /// What became of the question to the person's devices.
    mutating func settle(_ number: Int, by question: Int, isNotMe: Bool, blocks: Bool, at now: Int64) {
        let person = activations[number].person
        switch questions[question].state {
        case .pending: break
        case .updated(let answer) where answer.action == "Accept":
            guard activations[number].status(at: now) == .waiting else { return }
            activations[number].approver = devices.firstIndex { $0.id == answer.device }
            activations[number].end = now + Self.life
            end(number, .approved, at: now)
        case .updated, .discarded, .dismissed:
            let status = activations[number].status(at: now)
            if !status.isFinal, status != .fallback { end(number, .rejected, at: now) }
        case .expired:
            if !activations[number].status.isFinal, now >= activations[number].end { end(number, .expired, at: now) }
        }
        guard isNotMe else { return }
        tell(
            person, "Somebody tried to add a device", activations[number].name, to: activeDevices(of: person), at: now)
        guard blocks else { return }
        people[person].admitsNone = true
        for other in activations.indices where activations[other].person == person {
            let status = activations[other].status(at: now)
            if status == .waiting || status == .approved { end(other, .rejected, at: now) }
        }
    }

    private mutating func end(_ number: Int, _ status: Devices.Activation.Status, at now: Int64) {
        activations[number].status = status
        changed.activations.insert(number)
        if let question = activations[number].question { withdraw(question, at: now) }
    }
}
