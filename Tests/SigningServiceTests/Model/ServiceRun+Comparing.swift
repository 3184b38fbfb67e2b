import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

extension ServiceRun {
    /// Compares what was changed, or everything, with what the service says.
    func compare(all: Bool = false) async throws {
        let now = try await now()
        let changed = model.changed
        model.changed = ([], [], [], [])
        for person in model.people.indices where all || changed.people.contains(person) {
            try await compareInbox(of: person, at: now)
            try await compareDevices(of: person, at: now)
        }
        for number in model.questions.indices where all ? isOpen(number, at: now) : changed.questions.contains(number) {
            try await compareQuestion(number, at: now)
        }
        for number in model.requests.indices where all || changed.requests.contains(number) {
            try await compareRequest(number, at: now)
        }
        for number in model.activations.indices where all || changed.activations.contains(number) {
            try await compareActivation(number, at: now)
        }
        let status = try await store.engine.status()
        guard status.statements == model.statements.count else {
            throw Difference("\(status.statements) statements, not \(model.statements.count)")
        }
        let open = model.signings.filter { $0.state == .open }
        // What is shown is by the clock, even where that is behind.
        let range = open.count { now < $0.end }...open.count { store.clock.now < $0.end }
        guard range.contains(status.openCeremonies) else {
            throw Difference("\(status.openCeremonies) signings are open, not \(range)")
        }
    }

    /// Not yet over in the model; what ended lately is looked at too.
    private func isOpen(_ number: Int, at now: Int64) -> Bool {
        let question = model.questions[number]
        return question.state == .pending && now < question.end + 600_000
    }

    /// All that waits for a person, and nothing else; what is new gets its id.
    private func compareInbox(of person: Int, at now: Int64) async throws {
        let name = model.people[person].name
        let found = try await all { range in
            try await self.store.engine.notifications(of: name, Period(), range)
        }
        var known: [UUIDText: Int] = [:]
        for (number, question) in model.questions.enumerated() { if let id = question.id { known[id] = number } }
        for record in found where known[record.notification.id] == nil {
            guard let number = unnamed(record, of: person) else {
                throw Difference("nobody knows of \(record.notification)")
            }
            model.questions[number].id = record.notification.id
        }
        let waiting = model.questions.filter { $0.person == person && $0.state(at: now) == .pending }
        if let lost = waiting.first(where: { $0.id == nil }) { throw Difference("lost: \(lost)") }
        let expected = waiting.map { ($0.createdAt, $0.id?.text ?? "") }.sorted { $0 > $1 }.map(\.1)
        guard found.map(\.notification.id.text) == expected else {
            throw Difference("\(name.text)'s inbox has \(found.map(\.notification.id.text)), not \(expected)")
        }
    }

    /// The question that has no id yet and says just this.
    private func unnamed(_ record: NotificationRecord, of person: Int) -> Int? {
        let (notification, body) = (record.notification, record.notification.content.bodies.first)
        let line = body?.message.split(separator: "\n").first.map(String.init)
        return model.questions.indices.first { number in
            let question = model.questions[number]
            let about: UUIDText? =
                switch question.matter {
                case .message: nil
                case .request(let request): model.requests[request].id
                case .activation(let activation): model.activations[activation].newcomer.id
                }
            return question.id == nil && question.person == person && question.subject == body?.subject
                && question.line == line && notification.matter.id == about
                && notification.createdAt == question.createdAt
                && notification.expiresAt == question.end
        }
    }

    private func compareQuestion(_ number: Int, at now: Int64) async throws {
        let question = model.questions[number]
        guard let id = question.id else { throw Difference("lost: \(question)") }
        let found = try await store.engine.notification(id, as: .operator).notification
        guard found.state == question.state(at: now), found.user == model.people[question.person].name else {
            throw Difference("notification \(id) is \(found.state), not \(question.state(at: now))")
        }
    }

    private func compareRequest(_ number: Int, at now: Int64) async throws {
        let request = model.requests[number]
        let found = try await store.engine.request(request.id, as: shops[request.shop])
        let state = request.state(at: now)
        let answers = request.answers.mapValues { $0 == .waiting && state != .pending ? .over : $0 }
        let expected = Dictionary(uniqueKeysWithValues: answers.map { (model.people[$0].name, $1) })
        guard found.request.state == state, found.request.persons == expected else {
            throw Difference(
                "request \(request.id) is \(found.request.state), \(found.request.persons), not \(request)")
        }
        guard (found.outcome != nil) == (found.request.signed == request.required) else {
            throw Difference("request \(request.id) has \(String(describing: found.outcome))")
        }
    }

    private func compareActivation(_ number: Int, at now: Int64) async throws {
        let activation = model.activations[number]
        // What is older may be forgotten.
        guard activation.end > now - 3_000_000 else { return }
        let found = try await activation.newcomer.at(store.engine).state()
        let code = found.status == .waiting ? activation.code : nil
        guard found.status == activation.status(at: now), found.matchCode == code else {
            throw Difference("activation \(activation.name) is \(found), not \(activation.status(at: now))")
        }
    }

    private func compareDevices(of person: Int, at now: Int64) async throws {
        let found = try await store.engine.deviceList(of: model.people[person].name)
        let expected = model.devices.filter { $0.person == person }
        let devices = Dictionary(uniqueKeysWithValues: found.devices.map { ($0.id, $0) })
        for device in expected {
            guard let found = devices[device.id], found.name == device.name, found.state == device.state else {
                throw Difference("device \(device.name) is \(String(describing: devices[device.id]))")
            }
            let end = device.activatedAt + model.probation
            guard found.probationUntil == (device.state != .deleted && now < end ? end : nil) else {
                throw Difference("device \(device.name) waits until \(String(describing: found.probationUntil))")
            }
        }
        let until = model.people[person].coolingUntil
        guard devices.count == expected.count, found.coolingOffUntil == (now < until ? until : nil) else {
            throw Difference("devices \(found), not \(expected)")
        }
    }
}
