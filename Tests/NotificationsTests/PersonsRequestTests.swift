import CountersignVerifier
import Notifications
import Signing
import TestVectors
import Testing

@Suite("What becomes of a signing request")
struct PersonsRequestTests {
    private static let end: Int64 = 301_000

    private func name(_ text: String) throws -> UserName { try #require(UserName(text)) }

    private func request(
        _ answers: [String: PersonsRequest.Answer] = ["a": .waiting], required: Int = 1,
        state: PersonsRequest.State = .pending
    ) throws -> PersonsRequest {
        var persons: [UserName: PersonsRequest.Answer] = [:]
        for (user, answer) in answers { persons[try name(user)] = answer }
        let matter = RequestMatter(
            id: try Example.uuid(1), asker: "shop", payload: "p", reason: "r", level: 1, type: 0,
            quorum: Quorum(required: required, of: persons.count))
        return PersonsRequest(
            matter, required: required, persons: persons, createdAt: 1_000, expiresAt: Self.end, state: state)
    }

    private enum Outcome: Equatable {
        case effect(PersonsRequest.Effect?, PersonsRequest.State)
        case refused(Refusal.Code)
    }

    private func outcome(_ event: PersonsRequest.Event, on request: PersonsRequest, at now: Int64) -> Outcome {
        var value = request
        do {
            let effect = try value.handle(event, at: now)
            if effect == nil { #expect(value == request) }
            return .effect(effect, value.state)
        } catch {
            #expect(value == request, "a refused event leaves it untouched")
            return .refused(error.code)
        }
    }

    @Test("N1, N2, N5: each state with each event, before, at and after its end")
    func table() throws {
        let (alice, jti) = (try name("a"), try Example.uuid(9))
        let states: [PersonsRequest.State] = [
            .pending, .done(at: 2_000), .declined(at: 2_000), .expired(at: Self.end), .cancelled(at: 2_000),
        ]
        let events: [PersonsRequest.Event] = [.signed(alice, jti), .declined(alice), .cancel, .expire]
        for now in [Self.end - 1, Self.end, Self.end + 1] {
            for state in states {
                for event in events {
                    let expected: Outcome
                    switch (state, event) {
                    case (.pending, .expire):
                        expected =
                            now < Self.end ? .effect(nil, .pending) : .effect(.closed, .expired(at: Self.end))
                    case (_, .expire), (.cancelled, .cancel): expected = .effect(nil, state)
                    case (.expired, _): expected = .refused(.requestExpired)
                    case (.done, _), (.declined, _), (.cancelled, _): expected = .refused(.requestOver)
                    case (.pending, _) where now >= Self.end: expected = .refused(.requestExpired)
                    case (.pending, .signed): expected = .effect(.closed, .done(at: now))
                    case (.pending, .declined): expected = .effect(.closed, .declined(at: now))
                    case (.pending, .cancel): expected = .effect(.closed, .cancelled(at: now))
                    }
                    let answer: PersonsRequest.Answer = state == .pending ? .waiting : .over
                    let found = outcome(event, on: try request(["a": answer], state: state), at: now)
                    #expect(found == expected, "\(state) \(event) at \(now)")
                }
            }
        }
    }

    @Test("Two of three: the second signature is the end, one may decline, the second who declines is the end")
    func quorum() throws {
        let (a, b, c) = (try name("a"), try name("b"), try name("c"))
        let fresh = try request(["a": .waiting, "b": .waiting, "c": .waiting], required: 2)
        var signed = fresh
        #expect(try signed.handle(.signed(a, Example.uuid(2)), at: 2_000) == .recorded)
        #expect(try signed.handle(.declined(b), at: 2_001) == .recorded)
        #expect(outcome(.signed(a, try Example.uuid(3)), on: signed, at: 2_002) == .refused(.requestOver))
        #expect(outcome(.declined(a), on: signed, at: 2_002) == .refused(.requestOver))
        #expect(try signed.handle(.signed(c, Example.uuid(3)), at: 2_003) == .closed)
        #expect(signed.state == .done(at: 2_003) && signed.signed == 2 && signed.declined == 1)
        var declined = fresh
        #expect(try declined.handle(.declined(a), at: 2_000) == .recorded)
        #expect(try declined.handle(.declined(b), at: 2_001) == .closed)
        #expect(declined.state == .declined(at: 2_001) && declined.persons[c] == .over)
        var early = fresh
        #expect(try early.handle(.signed(a, Example.uuid(2)), at: 2_000) == .recorded)
        #expect(try early.handle(.signed(b, Example.uuid(3)), at: 2_000) == .closed)
        #expect(early.persons[c] == .over)
        #expect(outcome(.signed(c, try Example.uuid(4)), on: early, at: 2_001) == .refused(.requestOver))
        #expect(outcome(.signed(try name("d"), try Example.uuid(4)), on: fresh, at: 2_001) == .refused(.requestOver))
    }

    @Test(
        "N5: in whatever order things happen, the first end is the only one and nobody signs twice", arguments: 0..<40)
    func order(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let users = try ["a", "b", "c", "d", "e"].map(name)
        let required = Int.random(in: 1...5, using: &random)
        var value = try request(
            ["a": .waiting, "b": .waiting, "c": .waiting, "d": .waiting, "e": .waiting], required: required)
        var (now, signed, declined) = (value.createdAt, Set<UserName>(), Set<UserName>())
        var end: PersonsRequest.State?
        for number in 0..<100 {
            now += Int64.random(in: 0...6_000, using: &random)
            let user = try #require(users.randomElement(using: &random))
            let event: PersonsRequest.Event
            switch Int.random(in: 0..<12, using: &random) {
            case 0...4: event = .signed(user, try Example.uuid(100 + number))
            case 5...8: event = .declined(user)
            case 9 where number > 30: event = .cancel
            default: event = .expire
            }
            let mayAnswer = end == nil && now < value.expiresAt && !signed.contains(user) && !declined.contains(user)
            let effect = try? value.handle(event, at: now)
            switch event {
            case .signed:
                #expect((effect != nil) == mayAnswer)
                if mayAnswer { signed.insert(user) }
            case .declined:
                #expect((effect != nil) == mayAnswer)
                if mayAnswer { declined.insert(user) }
            default: break
            }
            #expect(value.signed == signed.count && value.declined == declined.count)
            if let end {
                #expect(value.state == end && effect == nil)
            } else if effect == .closed {
                end = value.state
                if case .done = value.state { #expect(signed.count == required) }
                if case .declined = value.state { #expect(users.count - declined.count == required - 1) }
                #expect(!value.persons.values.contains(.waiting))
            } else {
                #expect(value.state == .pending && signed.count < required)
            }
        }
    }

    @Test("Whom it asks: never the one on whose behalf, nobody twice, and never more than there are")
    func audience() throws {
        let (a, b, c) = (try name("a"), try name("b"), try name("c"))
        func member(_ body: () throws(Refusal) -> RequestAudience) -> String? {
            do throws(Refusal) { _ = try body() } catch {
                guard error.code == .requestTermsMalformed, case .member(let name)? = error.fact else { return "?" }
                return name
            }
            return nil
        }
        let two = try RequestAudience([a, b, c], required: 2, without: b)
        #expect(two.persons == [a, c] && two.quorum == Quorum(required: 2, of: 2))
        #expect(try RequestAudience([a, b], required: nil, without: nil).required == 2)
        #expect(try RequestAudience(a, without: nil).quorum == nil)
        #expect(member { () throws(Refusal) in try RequestAudience([a, b, c], required: 3, without: b) } == "required")
        #expect(member { () throws(Refusal) in try RequestAudience([a], required: 0, without: nil) } == "required")
        #expect(member { () throws(Refusal) in try RequestAudience([b], required: nil, without: b) } == "required")
        #expect(member { () throws(Refusal) in try RequestAudience([a, a], required: 1, without: nil) } == "users")
        #expect(member { () throws(Refusal) in try RequestAudience([], required: 1, without: nil) } == "users")
        #expect(member { () throws(Refusal) in try RequestAudience(a, without: a) } == "requester")
        let many = try (0..<65).map { try name("u\($0)") }
        #expect(member { () throws(Refusal) in try RequestAudience(many, required: 1, without: nil) } == "users")
        for text in ["", "-a", "a@b", "A", "ä", String(repeating: "a", count: 65)] { #expect(GroupName(text) == nil) }
        #expect(GroupName("board.eu-1")?.text == "board.eu-1")
    }
}
