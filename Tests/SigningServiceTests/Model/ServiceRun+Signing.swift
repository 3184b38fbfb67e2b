import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage

extension ServiceRun {
    // MARK: Signings

    func start() async throws {
        let now = try await now()
        let alive = model.logins.indices.filter { model.isAlive($0, at: now) }
        guard let login = alive.randomElement(using: &random) else { return }
        let level = number(3) == 0 ? 0 : 1
        tell("\(name(login)) starts a signing of level \(level)")
        let (session, engine) = (model.logins[login].session, engine())
        let payload = "Text \(step)"
        let result = try await ask {
            try await self.store.start(session, payload: payload, level: level, engine: engine)
        }
        guard let record = try value(result, unless: model.startObjections(login, at: now)) else { return }
        model.started(record.id, login, for: nil, level: level, at: now)
        guard level == 0 else { return }
        guard let statement = record.result.flatMap({ UUIDText($0.signatureID) }) else {
            throw Difference("level 0 is not signed at once")
        }
        model.signed(model.signings.count - 1, statement, at: now)
    }

    /// A signing that waits is answered, mostly with the right password.
    func sign() async throws {
        guard !isBetween, chance(2, of: 3) else { return }
        let now = try await now()
        let found = pick(model.signings.indices) { model.signings[$0].state == .open && now < model.signings[$0].end }
        // What ended a day ago may be forgotten.
        guard let found, model.signings[found].end > now - 12 * ServiceModel.hour else { return }
        let login = chance(1, of: 15) ? number(model.logins.count) : model.signings[found].login
        let (id, session) = (model.signings[found].id, model.logins[login].session)
        let person = model.person(of: model.signings[found].login)
        if chance(1, of: 10), model.people[person].wrong < 2 {
            tell("\(name(login)) answers signing \(found) with a wrong password")
            let engine = engine()
            let result = try await ask { try await self.store.answer(id, session, "wrong password", engine: engine) }
            let objections = model.signObjections(found, from: login, at: now)
            if objections.isEmpty { model.people[person].wrong += 1 }
            _ = try value(result, unless: objections.isEmpty ? [.authenticationFailed] : objections)
            return
        }
        tell("\(name(login)) answers signing \(found)")
        let question = model.signings[found].question
        var request: Int?
        if case .request(let number)? = question.map({ model.questions[$0].matter }) { request = number }
        let mine = model.signings[found].login
        let focus = Focus(
            person: person, device: model.logins[mine].device, login: mine, signing: found, question: question,
            request: request)
        let (result, _) = try await looking(.stepUp, focus) { engine in
            try await self.store.answer(id, session, engine: engine)
        }
        let objections = model.signObjections(found, from: login, at: try await self.now())
        guard let record = try value(result, unless: objections) else { return }
        guard let statement = record.result.flatMap({ UUIDText($0.signatureID) }) else {
            throw Difference("nothing is signed")
        }
        model.signed(found, statement, at: try await self.now())
    }

    func resetSigning() async throws {
        let now = try await now()
        let found = pick(model.signings.indices) { model.signings[$0].state == .open && now < model.signings[$0].end }
        // Rarely, or nothing would ever be signed.
        guard let found = focus?.signing ?? found, isBetween || chance(1, of: 3),
            model.signings[found].end > now - 12 * ServiceModel.hour
        else { return }
        tell("signing \(found) is reset")
        let (id, engine) = (model.signings[found].id, engine())
        let owner = model.logins[model.signings[found].login].session.owner
        let result = try await ask { try await engine.reset(ceremony: id, as: owner) }
        guard try value(result, unless: []) != nil, model.signings[found].state == .open else { return }
        model.signings[found].state = .cancelled
    }

    // MARK: The clock

    /// A clock that is far behind what is on record: nothing is done until it is right again.
    func setBack() async throws {
        let behind = try await newest() - 60_001 - store.clock.now
        store.clock.advance(behind)
        tell("the clock is far behind")
        let (name, engine) = (model.people[0].name, engine())
        let refusal = try await ask { try await engine.lock(name) }
        let session = model.logins[0].session
        let other = try await ask { try await self.store.start(session, engine: engine) }
        store.clock.advance(-behind)
        for case .success in [refusal.map { _ in () }, other.map { _ in () }] {
            throw Difference("something was done by a clock that is far behind")
        }
    }
}
