import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import TestVectors
import Testing

/// The service and its model, to which the same things happen in an order that a seed decides. It ends with the first difference.
actor ServiceRun {
    /// The service does not say what the model says.
    struct Difference: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    static let people = ["alice", "bob", "carol"]

    let seed: UInt64
    let store: TestStore
    var engines: [SigningEngine]
    let shops: [ClientName]
    let shopSessions: [Session]
    let operatorSession: Session
    var model: ServiceModel
    var random: SeededGenerator
    /// What happened, the newest last, to be told with a difference.
    private(set) var story: [String] = []
    private(set) var step = 0
    /// What is under way, between whose transactions something else happens.
    var focus: Focus?
    var isBetween: Bool { focus != nil }

    /// What hangs on a password that is being looked at, so that what happens meanwhile is about the same.
    struct Focus {
        let person: Int
        var device: Int?
        var login: Int?
        var signing: Int?
        var question: Int?
        var request: Int?
        var activation: Int?
    }

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        // For every fourth, new devices have to wait.
        let hours: Int64 = seed % 4 == 3 ? 1 : 0
        model = ServiceModel(probation: hours * ServiceModel.hour)
        store = try await TestStore()
        engines = [store.engine, try await store.another()]
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        if hours > 0 { _ = try await store.engine.set(.probationHours, to: String(hours)) }
        let shops = [try await store.service("shop0"), try await store.service("shop1")]
        self.shops = try ["shop0", "shop1"].map { try #require(ClientName($0)) }
        shopSessions = shops.map(\.grant.session)
        operatorSession = try await store.logInOperator().session
        for name in Self.people {
            if name != "alice" {
                try await store.engine.addUser(
                    TestStore.user(name), password: TestStore.secret(TestStore.password))
            }
            model.people.append(.init(name: try TestStore.user(name)))
        }
        for (person, name) in Self.people.enumerated() {
            for number in 0..<3 - person {
                let device = try await store.person(name, device: "\(name)'s device \(number)")
                model.enrolled(
                    person, device.key, "\(name)'s device \(number)", device.session, at: store.clock.now)
            }
        }
        store.clock.advance(hours * ServiceModel.hour)
    }

    func close() async {
        for engine in engines where engine !== store.engine { await engine.close() }
    }

    /// Lets so many things happen.
    func run(steps: Int) async throws {
        try await compare(all: true)
        for _ in 0..<steps {
            step += 1
            try await passTime()
            try await happen()
            if step.isMultiple(of: 10) { try await compare(all: true) }
        }
        try await compare(all: true)
        try await compareRecords()
    }

    // MARK: Time

    /// The time of the service: that of the clock, or the newest that is on record where the clock is behind.
    func now() async throws -> Int64 { max(store.clock.now, try await newest()) }

    /// The newest time on record.
    func newest() async throws -> Int64 {
        let page = try #require(Page(startIndex: 1, count: 1))
        return try await store.engine.audit(AuditRow.Filter(), page).first?.at ?? 0
    }

    /// Mostly little, and now and then much; now and then a clock goes back.
    private func passTime() async throws {
        let behind = try await newest() - store.clock.now
        switch number(80) {
        case 0: store.clock.advance(Int64.random(in: 1...13 * ServiceModel.hour, using: &random))
        case 1..<5: store.clock.advance(Int64.random(in: 60_000...600_000, using: &random))
        case 5..<12: store.clock.advance(-Int64.random(in: 0...min(60_000, 60_000 - behind), using: &random))
        default: store.clock.advance(Int64.random(in: 1...5_000, using: &random))
        }
    }

    // MARK: Chance

    func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) < part }

    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// One of those that fit, mostly; now and then any of the newer ones.
    func pick(_ all: Range<Int>, where fits: (Int) -> Bool) -> Int? {
        let recent = all.suffix(60)
        return chance(1, of: 8)
            ? recent.randomElement(using: &random) : recent.filter(fits).randomElement(using: &random)
    }

    /// The service's way in: any of its processes.
    func engine() -> SigningEngine { engines[number(engines.count)] }

    /// Starts one of the processes anew.
    func restart() async throws {
        let engine = try await store.another()
        if engines[1] !== store.engine { await engines[1].close() }
        engines[1] = engine
    }

    // MARK: What the service says

    func tell(_ event: String) {
        let line = "\(step): \(isBetween ? "meanwhile " : "")\(event)"
        story.append(line)
    }

    /// What the service says to something, where a "no" of its rules is an answer too.
    func ask<T>(_ body: () async throws -> T) async throws -> Result<T, Refusal> {
        do { return .success(try await body()) } catch let refusal as Refusal { return .failure(refusal) }
    }

    /// The value of what was done; nil where it was refused, as it must be.
    func value<T>(_ result: Result<T, Refusal>, unless objections: Set<Refusal.Code>) throws -> T? {
        switch result {
        case .success(let value):
            guard objections.isEmpty else { throw Difference("was done in spite of \(objections)") }
            return value
        case .failure(let refusal):
            guard objections.contains(refusal.code) else {
                throw Difference("was refused with \(refusal.code), where \(objections) would do")
            }
            return nil
        }
    }

    /// Does something that looks at a password, and lets something else happen while it is looked at, now and then.
    func looking<T>(
        _ purpose: LedgerRow.Purpose, _ focus: Focus, _ body: (SigningEngine) async throws -> T
    ) async throws -> (result: Result<T, Refusal>, isLate: Bool) {
        guard !isBetween, chance(1, of: 2) else {
            let engine = engine()
            return (try await ask { try await body(engine) }, false)
        }
        let name = model.people[focus.person].name.text
        let started = try await now()
        let (engine, database) = try await store.interrupted(
            when: { try !LedgerRow.load(name, purpose, on: $0).inFlight.isEmpty },
            { [self] in try await interfere(with: focus) })
        let result = try await ask { try await body(engine) }
        await database.close()
        return (result, try await now() - started >= 120_000)
    }

    private func interfere(with focus: Focus) async throws {
        self.focus = focus
        defer { self.focus = nil }
        guard chance(1, of: 5) else { return try await happen() }
        let time = Int64.random(in: 1...150_000, using: &random)
        tell("\(time) ms pass")
        store.clock.advance(time)
    }
}
