import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

extension ServiceRun {
    // MARK: Notifications

    func notify() async throws {
        let (person, now, engine) = (number(model.people.count), try await now(), engine())
        let shop = chance(2, of: 3) ? number(2) : nil
        let origin = shop.map { ServiceModel.Question.Origin.shop($0) } ?? .anOperator
        let level = chance(1, of: 5) ? nil : number(2)
        let life = Int64.random(in: 10_000...600_000, using: &random)
        tell("\(origin) tells \(Self.people[person]) something of level \(level.map(String.init) ?? "none")")
        var draft = try TestStore.question(level: level ?? 0, life: life)
        if level == nil {
            let body = try NotificationBody(language: "en", subject: "Transfer", message: "Paid.", labels: [:])
            draft = NotificationDraft(content: try NotificationContent(bodies: [body], actions: []), life: life)
        }
        let (name, owner) = (model.people[person].name, shop.map { shopSessions[$0].owner } ?? .operator)
        let result = try await ask { [draft] in try await engine.notify(name, draft, as: owner) }
        let objections = model.notifyObjections(person, by: origin, at: now)
        guard let record = try value(result, unless: objections) else { return }
        model.add(
            ServiceModel.Question(
                id: record.notification.id, person: person, origin: origin, matter: .message, subject: "Transfer",
                line: "", level: level, createdAt: now, end: now + life, sentTo: model.activeDevices(of: person)))
    }

    /// One that waits, mostly, and a session of its person's.
    private func question(
        where fits: (ServiceModel.Question) -> Bool = { _ in true }
    ) async throws -> (question: Int, id: UUIDText, login: Int)? {
        let now = try await now()
        let waiting = pick(model.questions.indices) {
            model.questions[$0].state(at: now) == .pending && fits(model.questions[$0])
        }
        guard let found = focus?.question ?? waiting, let id = model.questions[found].id else { return nil }
        let person = model.questions[found].person
        let login = pick(model.logins.indices) { model.person(of: $0) == person && model.isAlive($0, at: now) }
        return login.map { (found, id, $0) }
    }

    /// - Parameter fits: what it is to be about.
    func answer(about fits: (ServiceModel.Question.Matter) -> Bool = { _ in true }) async throws {
        // What the service only tells is dismissed, mostly.
        let isAny = chance(1, of: 20)
        let found = try await question { ($0.level != nil || isAny) && fits($0.matter) }
        guard let (number, id, login) = found else { return }
        let question = model.questions[number]
        let action = chance(1, of: 20) ? "Later" : chance(2, of: 3) ? "Accept" : "Reject"
        let right = question.code
        let code = chance(4, of: 5) ? right : chance(1, of: 4) ? nil : right == "00" ? "01" : "00"
        let isActivation = if case .activation = question.matter { true } else { false }
        let isNotMe = isActivation && action == "Reject" && chance(1, of: 3)
        let blocks = isNotMe && chance(1, of: 4)
        tell(
            "\(name(login)) chooses \(action) of \(question.subject) \(number), \(question.matter), \(code ?? "no code")"
        )
        let choice = NotificationChoice(
            action: action, matchCode: right == nil ? nil : code, isNotMe: isNotMe, blocksActivations: blocks)
        let (session, engine, now) = (model.logins[login].session, engine(), try await now())
        let result = try await ask { try await engine.answer(notification: id, as: session, choice) }
        let objections = model.answerObjections(number, action, code: code, from: login, at: now)
        if case .failure(let refusal) = result, refusal.code == .matchCodeWrong, objections == [.matchCodeWrong] {
            if code != nil { model.mismatched(number, at: now) }
            return
        }
        guard let answered = try value(result, unless: objections) else { return }
        guard model.signs(question, action) else {
            guard answered.signing == nil else { throw Difference("something is signed") }
            return model.answered(
                number, action, on: model.logins[login].device, at: now, isNotMe: isNotMe, blocks: blocks)
        }
        guard let signing = answered.signing else { throw Difference("nothing is signed") }
        model.started(signing.id, login, for: number, level: question.level ?? 0, at: now)
        guard question.level == 0 else { return }
        guard let statement = signing.result?.signatureID, let statement = UUIDText(statement) else {
            throw Difference("level 0 is not signed at once")
        }
        model.signed(model.signings.count - 1, statement, at: now)
    }

    func dismiss() async throws {
        guard let (number, id, login) = try await question() else { return }
        tell("\(name(login)) dismisses \(model.questions[number].subject) \(number)")
        let (session, engine, now) = (model.logins[login].session, engine(), try await now())
        let result = try await ask { try await engine.dismiss(notification: id, as: session) }
        guard try value(result, unless: model.dismissObjections(number, from: login, at: now)) != nil else { return }
        model.close(number, .dismissed(at: now), at: now)
    }

    func withdraw() async throws {
        guard let (number, id, _) = try await question(where: { $0.matter == .message && $0.origin != .service }) else {
            return
        }
        let origins: [ServiceModel.Question.Origin] = [.anOperator, .shop(0), .shop(1)]
        let origin = chance(1, of: 4) ? origins[self.number(3)] : model.questions[number].origin
        let session: Session =
            switch origin {
            case .shop(let shop): shopSessions[shop]
            case .anOperator, .service: operatorSession
            }
        tell("\(origin) withdraws \(number)")
        let (engine, now) = (engine(), try await now())
        let result = try await ask { try await engine.withdraw(notification: id, as: session) }
        let by = origin == .service ? .anOperator : origin
        guard try value(result, unless: model.withdrawObjections(number, by: by, at: now)) != nil else { return }
        model.close(number, .discarded(at: now), at: now)
    }

    /// Somebody reads a history, which writes down what ended since.
    func lookBack() async throws {
        let person = number(model.people.count)
        tell("\(Self.people[person])'s history is read")
        let now = try await now()
        _ = try await engine().notificationHistory(
            of: model.people[person].name, HistoryFilter(), RecordRange(startIndex: 1, count: 1))
        model.expire(person, at: now)
    }

    // MARK: Signing requests

    func askForSignatures() async throws {
        let shop = number(2)
        let asked = Self.people.indices.shuffled(using: &random).prefix(1 + number(3)).sorted()
        let required = 1 + number(asked.count)
        let (level, life) = (number(2), Int64.random(in: 10_000...600_000, using: &random))
        let isMatched = chance(1, of: 2)
        tell("shop\(shop) asks \(asked.map { Self.people[$0] }) for \(required) signatures of level \(level)")
        let users = asked.map { model.people[$0].name }
        let draft = try TestStore.request(
            users.count == 1 ? .person(users[0]) : .several(users, required: required), payload: "Pay \(step) EUR",
            level: level, life: life, match: isMatched ? .required : .without)
        let (client, engine, now) = (shops[shop], engine(), try await now())
        let result = try await ask { try await engine.ask(draft, as: client) }
        let objections = model.askObjections(asked, by: shop, life: life, at: now)
        guard let made = try value(result, unless: objections) else { return }
        let request = ServiceModel.Request(
            id: made.request.matter.id, shop: shop, level: level, required: required, end: now + life,
            answers: Dictionary(uniqueKeysWithValues: asked.map { ($0, .waiting) }))
        model.asked(request, line: "Invoice 17", code: made.matchCode?.text, at: now)
    }

    func cancelRequest() async throws {
        let now = try await now()
        let found = pick(model.requests.indices) { model.requests[$0].state(at: now) == .pending }
        guard let found = focus?.request ?? found else { return }
        let shop = chance(1, of: 6) ? number(2) : model.requests[found].shop
        tell("shop\(shop) cancels request \(found)")
        let (client, id, engine) = (shops[shop], model.requests[found].id, engine())
        let result = try await ask { try await engine.cancel(request: id, as: client) }
        guard try value(result, unless: model.cancelObjections(found, by: shop, at: now)) != nil else { return }
        model.cancelled(found, at: now)
    }
}
