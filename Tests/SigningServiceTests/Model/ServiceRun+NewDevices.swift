import CountersignVerifier
import Devices
import Sessions
import Signing
import SigningService
import Storage

extension ServiceRun {
    // MARK: New devices

    func begin() async throws {
        let (person, engine) = (number(model.people.count), engine())
        let now = try await now()
        let name = "new device \(seed) \(step)"
        tell("\(name) wants to be \(Self.people[person])'s")
        let newcomer = try await store.newcomer(Self.people[person], device: name, engine: engine)
        model.began(newcomer, name, of: person, at: now)
    }

    /// One that is not long over, and mostly one that is where it has to be.
    private func activation(_ status: Activation.Status...) async throws -> Int? {
        if let activation = focus?.activation { return activation }
        let now = try await now()
        let found = pick(model.activations.indices) { status.contains(model.activations[$0].status(at: now)) }
        return found.flatMap { model.activations[$0].end > now - 3_000_000 ? $0 : nil }
    }

    func verify() async throws {
        guard let number = try await activation(.offered) else { return }
        let (newcomer, now) = (model.activations[number].newcomer.at(engine()), try await now())
        tell("\(model.activations[number].name) asks the others")
        let result = try await ask { try await newcomer.verify() }
        guard let record = try value(result, unless: model.verifyObjections(number, at: now)) else { return }
        model.verified(number, code: record.matchCode, at: now)
    }

    func fallBack() async throws {
        guard let number = try await activation(.offered, .waiting) else { return }
        let (newcomer, now) = (model.activations[number].newcomer.at(engine()), try await now())
        tell("\(model.activations[number].name) goes on with a code")
        let result = try await ask { try await newcomer.fallBack() }
        guard try value(result, unless: model.fallBackObjections(number, at: now)) != nil else { return }
        model.fellBack(number, at: now)
    }

    func giveUp() async throws {
        guard let number = try await activation(.offered, .waiting, .approved, .fallback) else { return }
        let (newcomer, now) = (model.activations[number].newcomer.at(engine()), try await now())
        tell("\(model.activations[number].name) gives up")
        try await newcomer.cancel()
        model.gaveUp(number, at: now)
    }

    func finish() async throws {
        guard let number = try await activation(.approved) else { return }
        let activation = model.activations[number]
        tell("\(activation.name) brings the password")
        let (result, isLate) = try await looking(
            .login, Focus(person: activation.person, device: activation.approver, activation: number)
        ) { engine in
            try await activation.newcomer.at(engine).finish()
        }
        let now = try await now()
        var objections = model.finishObjections(number, at: now)
        if isLate { objections.insert(.authenticationFailed) }
        guard let grant = try value(result, unless: objections) else { return }
        model.finished(number, at: now)
        model.enrolled(activation.person, activation.newcomer.key, activation.name, grant.session, at: now)
    }

    func enrol() async throws {
        guard let number = try await activation(.fallback) else { return }
        let (activation, engine, now) = (model.activations[number], engine(), try await now())
        guard activation.status(at: now) != .expired else { return }
        tell("\(activation.name) comes with a code")
        let result = try await ask {
            try await self.store.person(
                Self.people[activation.person], device: activation.name, key: activation.newcomer.key, engine: engine)
        }
        var objections: Set<Refusal.Code> = model.people[activation.person].isLocked ? [.authenticationFailed] : []
        if activation.status == .activated { objections.insert(.deviceKeyTaken) }
        guard let person = try value(result, unless: objections) else { return }
        if !activation.status.isFinal { model.finished(number, at: now) }
        model.enrolled(activation.person, person.key, activation.name, person.session, at: now)
    }
}
