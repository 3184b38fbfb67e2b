import CountersignVerifier
import Notifications
import Signing
import TestVectors
import Testing

@Suite("What becomes of a notification")
struct StateTests {
    private typealias Value = Notifications.Notification

    private enum Outcome: Equatable {
        case closed(Value.State)
        case sign(String)
        case mismatched(left: Int, Value.State)
        case nothing
        case refused(Refusal.Code)
    }

    private func outcome(_ event: Value.Event, _ state: Value.State, at now: Int64, _ content: NotificationContent)
        throws -> Outcome
    {
        let template = try Example.notification(content)
        var value = Value(
            id: template.id, user: template.user, content: content, createdAt: template.createdAt,
            expiresAt: template.expiresAt, state: state)
        let before = value
        do {
            switch try value.handle(event, at: now) {
            case .closed?: return .closed(value.state)
            case .sign(let action)?:
                #expect(value == before, "to be signed is not to be answered")
                return .sign(action.name)
            case .mismatched?: return .mismatched(left: value.match?.left ?? -1, value.state)
            case nil:
                #expect(value == before)
                return .nothing
            }
        } catch {
            #expect(value == before, "a refused event leaves it untouched")
            return .refused(error.code)
        }
    }

    @Test("N1, N2, N5, A26: each state with each event, before, at and after its end")
    func table() throws {
        let (device, other, jti) = (try Example.uuid(2), try Example.uuid(3), try Example.uuid(4))
        let end: Int64 = 301_000
        let answer = Value.Answer(action: "Reject", device: other, at: 2_000, signature: nil)
        let states: [Value.State] = [
            .pending, .updated(answer), .expired(at: end), .discarded(at: 3_000), .dismissed(at: 4_000),
        ]
        let events: [Value.Event] = [
            .choose("Accept", device: device), .choose("Reject", device: device), .choose("accept", device: device),
            .choose("", device: device), .signed("Accept", device: device, signature: jti),
            .signed("Reject", device: device, signature: jti), .withdraw, .dismiss, .expire,
        ]
        #expect(Set(states.map(\.status)) == Set(Value.Status.allCases), "no state is left out")
        for now in [end - 1, end, end + 1] {
            for state in states {
                for event in events {
                    let expected: Outcome
                    switch (state, event) {
                    case (.pending, .expire): expected = now < end ? .nothing : .closed(.expired(at: end))
                    case (_, .expire), (.discarded, .withdraw), (.dismissed, .dismiss): expected = .nothing
                    case (.updated, _), (.discarded, _), (.dismissed, _): expected = .refused(.notificationProcessed)
                    case (.expired, _): expected = .refused(.notificationExpired)
                    case (.pending, _) where now >= end: expected = .refused(.notificationExpired)
                    case (.pending, .choose("Accept", _, _)): expected = .sign("Accept")
                    case (.pending, .choose("Reject", _, _)):
                        let answer = Value.Answer(action: "Reject", device: device, at: now, signature: nil)
                        expected = .closed(.updated(answer))
                    case (.pending, .signed("Accept", _, _)):
                        let answer = Value.Answer(action: "Accept", device: device, at: now, signature: jti)
                        expected = .closed(.updated(answer))
                    case (.pending, .choose), (.pending, .signed): expected = .refused(.actionNotOffered)
                    case (.pending, .withdraw): expected = .closed(.discarded(at: now))
                    case (.pending, .dismiss): expected = .closed(.dismissed(at: now))
                    }
                    let found = try outcome(event, state, at: now, Example.content())
                    #expect(found == expected, "\(state) \(event) at \(now)")
                }
            }
        }
    }

    @Test("A25: what has no actions cannot be answered, and stays until its end")
    func withoutActions() throws {
        let device = try Example.uuid(2)
        for event in [
            .choose("Accept", device: device), .signed("Accept", device: device, signature: device),
        ] as [Value.Event] {
            #expect(
                try outcome(event, .pending, at: 5_000, Example.toRead()) == .refused(.notificationWithoutActions))
        }
        #expect(try outcome(.dismiss, .pending, at: 5_000, Example.toRead()) == .closed(.dismissed(at: 5_000)))
    }

    @Test("N5: in whatever order things happen, the first end is the only one", arguments: 0..<60)
    func order(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var value = try Example.notification(life: 60_000)
        var now = value.createdAt
        var end: Value.State?
        for number in 0..<200 {
            // The clock goes back sometimes.
            now = max(0, now + Int64.random(in: -500...900, using: &random))
            let device = try Example.uuid(Int.random(in: 2...4, using: &random))
            let event: Value.Event
            switch Int.random(in: 0..<24, using: &random) {
            case 0: event = .choose("Reject", device: device)
            case 1: event = .signed("Accept", device: device, signature: try Example.uuid(100 + number))
            case 2: event = .withdraw
            case 3: event = .dismiss
            case 4...9:
                event = .choose(["accept", "Reject ", "", "NONE"].randomElement(using: &random) ?? "", device: device)
            case 10...15: event = .choose("Accept", device: device)
            default: event = .expire
            }
            let before = value
            let effect = try? value.handle(event, at: now)
            if let end {
                #expect(value.state == end && effect != .closed)
            } else if effect == .closed {
                end = value.state
                let at = try #require(value.state.changedAt)
                #expect(value.state.status.isFinal)
                #expect(value.state.status == .expired ? at == value.expiresAt && now >= at : now < value.expiresAt)
            } else {
                #expect(value == before)
            }
        }
    }
}
