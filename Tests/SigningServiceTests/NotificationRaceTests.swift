import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Notifications in races and in any order")
struct NotificationRaceTests {
    private enum Outcome: Hashable {
        case signed(String)
        case answered
        case refused(Refusal.Code)
    }

    private func outcome(_ body: () async throws -> String?) async throws -> Outcome {
        do { return try await body().map { .signed($0) } ?? .answered } catch let refusal as Refusal {
            return .refused(refusal.code)
        }
    }

    @Test("N1, O16: a hundred accept at once on two devices and two engines: one final state, one signature")
    func acceptAccept() async throws {
        let store = try await TestStore(queueLimit: 256)
        let other = try await store.another()
        let id = try await store.ask()
        // A hundred sessions is what one person may have; each has begun its signing: all hundred challenges are answered at once.
        let (phone, tablet) = (try await store.person(), try await store.person(device: "tablet"))
        var begun: [(Person, UUIDText)] = []
        for index in 0..<100 {
            let device = index.isMultiple(of: 2) ? phone : tablet
            let person =
                index < 2 ? device : Person(key: device.key, grant: try await store.logIn(device.key))
            let answered = try await store.engine.answer(notification: id, as: person.session, action: "Accept")
            begun.append((person, try #require(answered.signing).id))
        }
        let open = begun
        let outcomes = try await race(100) { index in
            try await outcome {
                let (person, ceremony) = open[index]
                let engine = index % 4 < 2 ? store.engine : other
                return try await store.answer(ceremony, person.session, engine: engine).result?.signatureID
            }
        }
        let signatures = outcomes.compactMap { if case .signed(let jti) = $0 { jti } else { nil } }
        #expect(signatures.count == 1)
        #expect(outcomes.count { $0 == .refused(.notificationProcessed) } == 99)
        #expect(try await store.engine.status().statements == 1)
        guard case .updated(let answer) = try await store.state(id) else {
            Issue.record("not answered")
            return
        }
        #expect(answer.signature?.text == signatures.first)
        #expect(try await store.events().count { $0 == "notification-answered" } == 1)
        #expect(try await store.engine.status().openCeremonies == 0)
        await other.close()
    }

    @Test("N1: accept on one device, reject on another, a hundred times: one final state, the loser is told")
    func acceptReject() async throws {
        let store = try await TestStore()
        let other = try await store.another()
        let (phone, tablet) = (try await store.person(), try await store.person(device: "tablet"))
        var statements = 0
        for round in 0..<100 {
            let id = try await store.ask()
            let signing = try #require(
                try await store.engine.answer(notification: id, as: phone.session, action: "Accept").signing)
            let outcomes = try await race(2) { index in
                try await outcome {
                    guard index == round % 2 else {
                        return try await store.choose("Reject", of: id, tablet, engine: other)
                    }
                    return try await store.answer(signing.id, phone.session).result?.signatureID
                }
            }
            #expect(outcomes.count { $0 == .refused(.notificationProcessed) } == 1, "\(outcomes)")
            guard case .updated(let answer) = try await store.state(id) else {
                Issue.record("not answered")
                continue
            }
            if answer.signature != nil { statements += 1 }
            #expect(outcomes.contains(.answered) == (answer.action == "Reject"))
            #expect((answer.signature == nil) == (answer.action == "Reject"))
        }
        #expect(try await store.engine.status().statements == statements)
        await other.close()
    }

    @Test(
        "N1, S1: the other device rejects while the password is being looked at: nothing is signed, no attempt is lost")
    func rejectedMeanwhile() async throws {
        let store = try await TestStore()
        let (phone, tablet) = (try await store.person(), try await store.person(device: "tablet"))
        let id = try await store.ask()
        let signing = try #require(
            try await store.engine.answer(notification: id, as: phone.session, action: "Accept").signing)
        let (engine, database) = try await store.interruptedAttempt(.stepUp) {
            _ = try await store.choose("Reject", of: id, tablet)
        }
        let refused = try await TestStore.code {
            _ = try await store.answer(signing.id, phone.session, engine: engine)
        }
        #expect(refused == .notificationProcessed)
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.start(phone.session).attemptsLeft == 3)
        await database.close()
    }

    @Test("N2: it ends while the password is being looked at: nothing is signed")
    func endsMeanwhile() async throws {
        let store = try await TestStore()
        let phone = try await store.person()
        let id = try await store.ask(TestStore.question(life: 60_000))
        let signing = try #require(
            try await store.engine.answer(notification: id, as: phone.session, action: "Accept").signing)
        let (engine, database) = try await store.interruptedAttempt(.stepUp) { store.clock.advance(60_000) }
        let refused = try await TestStore.code {
            _ = try await store.answer(signing.id, phone.session, engine: engine)
        }
        #expect(refused == .notificationExpired)
        #expect(try await store.engine.status().statements == 0)
        #expect(try await store.engine.status().openCeremonies == 0)
        #expect(try await store.state(id).status == .expired)
        await database.close()
    }

    @Test(
        "R1: whoever stops between the choice and the signature finds both undone, and may choose again after a restart"
    )
    func stopBetween() async throws {
        let store = try await TestStore()
        let phone = try await store.person()
        let id = try await store.ask()
        let signing = try #require(
            try await store.engine.answer(notification: id, as: phone.session, action: "Accept").signing)
        let restarted = try await store.another()
        #expect(
            try await restarted.notification(id, as: phone.session.owner).notification.state == .pending)
        #expect(
            try await TestStore.code { _ = try await store.choose("Accept", of: id, phone, engine: restarted) }
                == .ceremonyOpen)
        #expect(try await store.answer(signing.id, phone.session, engine: restarted).state == .signed)
        #expect(try await restarted.status().statements == 1)
        await restarted.close()
    }

    /// What must be, kept by hand.
    private struct Model {
        struct Entry {
            let id: UUIDText
            let searched: String
            let isAsked: Bool
            let createdAt: Int64
            let expiresAt: Int64
            let enterprise: String?
            let devices: Set<UUIDText>
            var end: (status: String, action: String, at: Int64, device: UUIDText?)?
        }
        var entries: [Entry] = []

        mutating func expire(_ now: Int64) {
            for index in entries.indices where entries[index].end == nil && now >= entries[index].expiresAt {
                entries[index].end = ("EXPIRED", "NONE", entries[index].expiresAt, nil)
            }
        }

        func history(_ filter: HistoryFilter) -> [UUIDText] {
            entries.filter { entry in
                guard let end = entry.end else { return false }
                return filter.status.map { $0.rawValue == end.status } ?? true
                    && filter.action.map { $0 == end.action } ?? true
                    && filter.keyword.map {
                        entry.searched.lowercased().contains($0.lowercased())
                    } ?? true
                    && filter.device.map { entry.devices.contains($0) || end.device == $0 } ?? true
                    && filter.enterprise.map { $0 == entry.enterprise } ?? true
                    && filter.period.map { $0.contains(end.at) } ?? true
            }.sorted { ($0.end?.at ?? 0, $0.id.text) > ($1.end?.at ?? 0, $1.id.text) }.map(\.id)
        }

        var inbox: [UUIDText] {
            entries.filter { $0.end == nil }.sorted { ($0.createdAt, $0.id.text) > ($1.createdAt, $1.id.text) }.map(
                \.id)
        }
    }

    @Test(
        "N5, A24, H02-H10, H17, O28-O34: in any order of events, over a restart, the store is what the model says",
        arguments: 0..<6)
    func anyOrder(seed: Int) async throws {
        var random = RandomSequence(seed: UInt64(seed))
        let store = try await TestStore()
        let shop = try await store.service().grant.session
        var people = [try await store.person()]
        var model = Model()
        var engine = store.engine
        for step in 0..<120 {
            store.clock.advance(Int64.random(in: 0...20_000_000, using: &random))
            model.expire(store.clock.now)
            let device = { (person: Person) in try #require(person.session.device) }
            let target = model.entries.indices.filter { model.entries[$0].isAsked }.randomElement(using: &random)
            let person = try #require(people.randomElement(using: &random))
            var expected: (status: String, action: String)?
            var found: Refusal.Code?
            let draw = target == nil ? 0 : Int.random(in: 0..<10, using: &random)
            switch draw {
            case 0...3:
                let subject =
                    ["Zürich \(step)", "100% _sure_", "Überweisung", "plain"].randomElement(using: &random) ?? ""
                let enterprise = [nil, "acme", "other"].randomElement(using: &random) ?? nil
                let life = Int64.random(in: 10_000...200_000_000, using: &random)
                let draft = try TestStore.question(subject, level: 0, life: life, enterprise: enterprise)
                let made = try await engine.notify(TestStore.user("alice"), draft, as: shop.owner).notification
                model.entries.append(
                    .init(
                        id: made.id, searched: made.content.searched, isAsked: true, createdAt: made.createdAt,
                        expiresAt: made.expiresAt,
                        enterprise: enterprise, devices: Set(try people.map(device)), end: nil))
            case 4, 5:
                let action = Bool.random(using: &random) ? "Accept" : "Reject"
                expected = ("UPDATED", action)
                let id = try #require(target.map { model.entries[$0].id })
                found = try await TestStore.code {
                    _ = try await engine.answer(notification: id, as: person.session, action: action)
                }
            case 6:
                expected = ("DISCARDED", "NONE")
                let id = try #require(target.map { model.entries[$0].id })
                found = try await TestStore.code { try await engine.withdraw(notification: id, as: shop) }
            case 7:
                expected = ("DISMISSED", "NONE")
                let id = try #require(target.map { model.entries[$0].id })
                found = try await TestStore.code {
                    _ = try await engine.dismiss(notification: id, as: person.session)
                }
            case 8 where people.count < 3:
                let others = Set(try people.map(device))
                people.append(try await store.person(device: "device \(people.count)"))
                // The others are told, and read it.
                let known = Set(model.entries.map(\.id))
                let user = try TestStore.user("alice")
                let told = try await engine.notifications(of: user, Period(), RecordRange(startIndex: 1, count: 0))
                    .map(\.notification).first { !known.contains($0.id) }
                let news = try #require(told)
                try await engine.dismiss(notification: news.id, as: person.session)
                model.entries.append(
                    .init(
                        id: news.id, searched: news.content.searched, isAsked: false, createdAt: news.createdAt,
                        expiresAt: news.expiresAt, enterprise: nil, devices: others,
                        end: ("DISMISSED", "NONE", store.clock.now, nil)))
            default:
                if engine !== store.engine { await engine.close() }
                engine = try await store.another()
            }
            if let expected, let target {
                let end = model.entries[target].end
                switch end?.status {
                case nil:
                    #expect(found == nil)
                    model.entries[target].end = (
                        expected.status, expected.action, store.clock.now,
                        expected.status == "UPDATED" ? try device(person) : nil
                    )
                case expected.status? where expected.status != "UPDATED": #expect(found == nil)
                case "EXPIRED"?: #expect(found == .notificationExpired)
                default: #expect(found == .notificationProcessed)
                }
            }
            guard step.isMultiple(of: 10) else { continue }
            let user = try TestStore.user("alice")
            let all = try RecordRange(startIndex: 1, count: 0)
            #expect(try await engine.notifications(of: user, Period(), all).map(\.notification.id) == model.inbox)
            for filter in try filters(model, people) {
                let ids = try await engine.notificationHistory(of: user, filter, all).map(\.notification.id)
                #expect(ids == model.history(filter), "\(filter)")
                // O30: pages are parts of the whole.
                let second = try await engine.notificationHistory(
                    of: user, filter, RecordRange(startIndex: 4, count: 3)
                ).map(\.notification.id)
                #expect(second == Array(ids.dropFirst(3).prefix(3)))
            }
        }
        #expect(try await store.history(HistoryFilter(), from: 100_000).isEmpty, "O29, H24")
        if engine !== store.engine { await engine.close() }
    }

    private func filters(_ model: Model, _ people: [Person]) throws -> [HistoryFilter] {
        var filters = [HistoryFilter()]
        func add(_ change: (inout HistoryFilter) throws -> Void) rethrows {
            var filter = HistoryFilter()
            try change(&filter)
            filters.append(filter)
        }
        for status in Notifications.Notification.Status.allCases where status.isFinal { add { $0.status = status } }
        for action in ["Accept", "Reject", "NONE", "accept"] { add { $0.action = action } }
        for word in ["zÜRICH", "100%", "_", "%", "!", "ü", "nothing"] { add { $0.keyword = word } }
        for person in people { add { $0.device = person.session.device } }
        for name in ["acme", "other", "none"] { add { $0.enterprise = name } }
        try add { $0.period = try Period(from: "2026-01-02", to: "2026-01-03") }
        try add { $0.period = try Period(to: "2026-01-01") }
        try add { filter in
            filter.device = people.first?.session.device
            filter.status = .updated
            filter.period = try Period(from: "2026-01-02")
            filter.keyword = "u"
        }
        return filters
    }
}

/// SplitMix64: the same sequence everywhere for the same seed.
private struct RandomSequence: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
