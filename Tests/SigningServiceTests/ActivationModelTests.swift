import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import TestVectors
import Testing

/// What the service must say after each step: new devices and those that may let them in, kept in the simplest way.
private struct ActivationModel {
    struct Entry {
        let newcomer: Newcomer
        var status = Activation.Status.offered
        var end: Int64
        var question: UUIDText?
        var code = ""
        var wrong = 0
        /// The devices that were asked, by number.
        var asked: Set<Int> = []
        var approver: Int?

        func status(at now: Int64) -> Activation.Status { status.isFinal || now < end ? status : .expired }
    }

    struct Member {
        var person: Person
        var isActive = true
    }

    var members: [Member]
    var entries: [Entry] = []
    /// When the name was asked for.
    var times: [Int64] = []
    var isBlocked = false

    /// Why a new device cannot go on, where it is over.
    static func objection(_ status: Activation.Status) -> Refusal.Code? {
        switch status {
        case .offered, .waiting, .approved, .fallback: nil
        case .rejected: .activationRejected
        case .cancelled: .cancelled
        case .expired: .activationExpired
        case .activated: .deviceKeyTaken
        }
    }

    func askedTooOften(at now: Int64) -> Bool { times.count { $0 > now - 3_600_000 } >= 10 }

    func waiting(at now: Int64) -> Int { entries.count { $0.status(at: now) == .waiting } }

    /// What became of a question, as whoever answers it learns; nil: it waits.
    func objection(toAnswer entry: Entry, at now: Int64) -> Refusal.Code? {
        switch entry.status {
        case .waiting: now < entry.end ? nil : .notificationExpired
        case .expired: .notificationExpired
        default: .notificationProcessed
        }
    }
}

@Suite("New devices of the service in random orders")
struct ActivationServiceModelTests {
    @Test(
        "A01-A14, O15-O20, D1, D2, D6: whatever is done in whatever order, the service says what the model says",
        arguments: 0..<4)
    func random(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed) + 7)
        let store = try await TestStore()
        var engine = store.engine
        var model = ActivationModel(members: [
            .init(person: try await store.person()), .init(person: try await store.person(device: "laptop")),
        ])
        let life: Int64 = 300_000
        let user = try TestStore.user("alice")
        for step in 0..<500 {
            // Mostly quick, and now and then so slow that much is over.
            let isSlow = Int.random(in: 0..<12, using: &random) == 0
            store.clock.advance(Int64.random(in: 1...(isSlow ? 400_000 : 12_000), using: &random))
            let now = store.clock.now
            // What is older may be forgotten.
            let recent = model.entries.indices.filter { model.entries[$0].end > now - 3_000_000 }
            let work = Int.random(in: 0..<20, using: &random)
            // Mostly what makes sense.
            let fitting = recent.filter { index in
                let status = model.entries[index].status(at: now)
                return switch work {
                case 3...6: status == .offered
                case 7...11: status == .waiting
                case 14...17: status == .approved
                default: !status.isFinal
                }
            }
            let chosen =
                Int.random(in: 0..<3, using: &random) == 0
                ? recent.randomElement(using: &random) : fitting.randomElement(using: &random)
            let member = Int.random(in: model.members.indices, using: &random)
            var expected: Refusal.Code?
            var found: Refusal.Code?
            switch work {
            case 0, 1, 2:
                let newcomer = try await store.newcomer(device: "device \(step)", engine: engine)
                model.entries.append(.init(newcomer: newcomer, end: now + life))
            case 3, 4, 5, 6:
                guard let chosen else { continue }
                let (newcomer, status) = (model.entries[chosen].newcomer, model.entries[chosen].status(at: now))
                expected = ActivationModel.objection(status)
                if status == .fallback { expected = .activationMethodUnavailable }
                if status == .offered, model.waiting(at: now) >= 3 {
                    expected = .tooManyOpen
                } else if status == .offered, model.askedTooOften(at: now) {
                    expected = .tooManyRequests
                }
                let known = Set(try await store.questions())
                let codes = Codes()
                found = try await TestStore.code { await codes.take(try await newcomer.at(engine).verify().matchCode) }
                guard expected == nil, status == .offered else { break }
                model.times.append(now)
                (model.entries[chosen].status, model.entries[chosen].end) = (.waiting, now + life)
                model.entries[chosen].code = try #require(await codes.last)
                model.entries[chosen].asked =
                    model.isBlocked ? [] : Set(model.members.indices.filter { model.members[$0].isActive })
                model.entries[chosen].question = try await store.questions().first { !known.contains($0) }
                #expect((model.entries[chosen].question == nil) == model.entries[chosen].asked.isEmpty)
            case 7, 8, 9, 10, 11:
                guard let chosen, let question = model.entries[chosen].question else { continue }
                let entry = model.entries[chosen]
                let person = model.members[member].person
                let isApproval = Int.random(in: 0..<3, using: &random) > 0
                let isRight = Int.random(in: 0..<3, using: &random) > 0
                let (isNotMe, blocks) = (!isApproval && Bool.random(using: &random), step.isMultiple(of: 9))
                let code = isRight ? entry.code : entry.code == "00" ? "01" : "00"
                let choice = NotificationChoice(
                    action: isApproval ? "Accept" : "Reject", matchCode: isApproval ? code : nil, isNotMe: isNotMe,
                    blocksActivations: isNotMe && blocks)
                let answering = engine
                found = try await TestStore.code {
                    _ = try await answering.answer(notification: question, as: person.session, choice)
                }
                if !model.members[member].isActive {
                    expected = .tokenInvalid
                } else if !entry.asked.contains(member) {
                    expected = .deviceNotAllowed
                } else if let over = model.objection(toAnswer: entry, at: now) {
                    expected = over
                } else if isApproval, !isRight {
                    expected = .matchCodeWrong
                    model.entries[chosen].wrong += 1
                    if model.entries[chosen].wrong == 3 { model.entries[chosen].status = .rejected }
                } else if isApproval {
                    (model.entries[chosen].status, model.entries[chosen].end) = (.approved, now + life)
                    model.entries[chosen].approver = member
                } else {
                    model.entries[chosen].status = .rejected
                    guard isNotMe, blocks else { break }
                    model.isBlocked = true
                    for index in model.entries.indices {
                        let status = model.entries[index].status(at: now)
                        if status == .waiting || status == .approved { model.entries[index].status = .rejected }
                    }
                }
            case 12:
                guard let chosen else { continue }
                let (newcomer, status) = (model.entries[chosen].newcomer, model.entries[chosen].status(at: now))
                expected = ActivationModel.objection(status)
                if status == .offered, model.askedTooOften(at: now) { expected = .tooManyRequests }
                found = try await TestStore.code { _ = try await newcomer.at(engine).fallBack() }
                guard expected == nil, status != .fallback else { break }
                if status == .offered { model.times.append(now) }
                (model.entries[chosen].status, model.entries[chosen].end) = (.fallback, now + 86_400_000)
            case 13:
                guard let chosen else { continue }
                let newcomer = model.entries[chosen].newcomer
                found = try await TestStore.code { try await newcomer.at(engine).cancel() }
                if !model.entries[chosen].status(at: now).isFinal { model.entries[chosen].status = .cancelled }
            case 14, 15, 16, 17:
                guard let chosen else { continue }
                let entry = model.entries[chosen]
                let status = entry.status(at: now)
                expected = ActivationModel.objection(status)
                switch status {
                case .offered, .waiting: expected = .activationPending
                case .fallback: expected = .activationMethodUnavailable
                case .approved:
                    if let by = entry.approver, !model.members[by].isActive { expected = .activationRejected }
                default: break
                }
                let grants = Grants()
                found = try await TestStore.code { await grants.take(try await entry.newcomer.at(engine).finish()) }
                guard expected == nil else { break }
                model.entries[chosen].status = .activated
                model.members.append(
                    .init(person: Person(key: entry.newcomer.key, grant: try #require(await grants.last))))
            case 18:
                let device = try #require(model.members[member].person.session.device)
                if model.members[member].isActive, step.isMultiple(of: 3) {
                    try await engine.block(device, of: user)
                    model.members[member].isActive = false
                } else if !model.members[member].isActive {
                    try await engine.unblock(device, of: user)
                    let key = model.members[member].person.key
                    model.members[member] = .init(
                        person: Person(key: key, grant: try await store.logIn(key, engine: engine)))
                }
            default:
                if model.isBlocked {
                    try await engine.unlock(user)
                    model.isBlocked = false
                } else {
                    if engine !== store.engine { await engine.close() }
                    engine = try await store.another()
                }
            }
            #expect(found == expected, "step \(step)")
            for index in recent {
                let entry = model.entries[index]
                let record = try await entry.newcomer.at(engine).state()
                #expect(record.status == entry.status(at: now), "step \(step)")
                #expect((record.matchCode == nil) == (record.status != .waiting))
            }
            let waiting = Set(
                model.entries.filter { $0.status(at: now) == .waiting }.compactMap(\.question))
            #expect(Set(try await store.questions()) == waiting, "step \(step)")
        }
        // Every end was reached, so that nothing of this was looked at in vain.
        let ends = Set(model.entries.map { $0.status(at: .max) })
        #expect(ends == [.rejected, .cancelled, .expired, .activated])
        // Nobody is in but who was there, and who finished.
        #expect(try await engine.deviceList(of: user).devices.count == model.members.count)
        if engine !== store.engine { await engine.close() }
    }
}

/// The last code that was shown.
private actor Codes {
    var last: String?
    func take(_ code: String?) { last = code }
}

/// The last session that was granted.
private actor Grants {
    var last: SessionGrant?
    func take(_ grant: SessionGrant) { last = grant }
}
