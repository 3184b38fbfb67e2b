import CountersignVerifier
import Notifications
import Signing
import Testing

@Suite("Match codes, and what a notification is about")
struct MatchTests {
    private typealias Value = Notifications.Notification

    private func approval(
        _ mode: Match.Mode = .required, level: Int = 1, wrong: Int = 0, about matter: NotificationMatter = .message
    ) throws -> Value {
        let code = try #require(MatchCode("42"))
        return try Value(
            id: Example.uuid(1), user: Example.user(),
            content: NotificationContent(approval: "shop asks", message: "Pay?", level: level), matter: matter,
            match: Match(code, mode, wrong: wrong), at: 1_000, life: 300_000)
    }

    private func refusal(_ body: () throws(Refusal) -> Void) -> Refusal? {
        do throws(Refusal) { try body() } catch { return error }
        return nil
    }

    @Test("attack D6: a code is two decimal digits, all hundred come up, and nothing else is one")
    func codes() throws {
        var seen: Set<String> = []
        for _ in 0..<20_000 { seen.insert(try MatchCode.random().text) }
        #expect(seen.count == 100)
        #expect(seen.allSatisfy { MatchCode($0)?.text == $0 })
        for text in ["", "4", "042", " 42", "4a", "٤٢", "4\u{301}2", "-1", "42\n"] { #expect(MatchCode(text) == nil) }
    }

    @Test("attack D6: without the code nothing is approved, and that costs nothing; a wrong one counts")
    func required() throws {
        var value = try approval()
        let device = try Example.uuid(2)
        let before = value
        #expect(
            refusal { () throws(Refusal) in _ = try value.handle(.choose("Accept", device: device), at: 2_000) }
                == Refusal(.matchCodeWrong, .codesLeft(3)))
        #expect(value == before)
        for (index, wrong) in ["24", "042"].enumerated() {
            #expect(try value.handle(.choose("Accept", device: device, code: wrong), at: 2_000) == .mismatched)
            #expect(value.match?.left == 2 - index && value.state == .pending && !value.isMismatched)
        }
        #expect(
            try value.handle(.choose("Accept", device: device, code: "42"), at: 2_000)
                == .sign(NotificationAction(name: "Accept", level: 1)), "the right one still counts")
    }

    @Test("attack D6: the third wrong code is the end, the right one comes too late then")
    func exhausted() throws {
        var value = try approval(wrong: 2)
        let device = try Example.uuid(2)
        #expect(try value.handle(.choose("Accept", device: device, code: "43"), at: 2_000) == .mismatched)
        #expect(value.state == .discarded(at: 2_000) && value.isMismatched && value.match?.left == 0)
        #expect(
            refusal { () throws(Refusal) in
                _ = try value.handle(.choose("Accept", device: device, code: "42"), at: 2_000)
            }?.code == .notificationProcessed)
    }

    @Test("attack D6: nobody needs a code to reject, and a wrong one with it costs nothing")
    func reject() throws {
        for code in [nil, "43", "42"] {
            var value = try approval()
            #expect(try value.handle(.choose("Reject", device: Example.uuid(2), code: code), at: 2_000) == .closed)
            #expect(value.state.status == .updated && value.match?.wrong == 0)
        }
    }

    @Test("attack D6: an offered code need not be brought; a wrong one counts all the same")
    func offered() throws {
        var value = try approval(.offered)
        let device = try Example.uuid(2)
        let accept = try NotificationAction(name: "Accept", level: 1)
        #expect(try value.handle(.choose("Accept", device: device), at: 2_000) == .sign(accept))
        #expect(try value.handle(.choose("Accept", device: device, code: "43"), at: 2_000) == .mismatched)
        #expect(value.match?.wrong == 1)
    }

    @Test("N2: after the end no code is looked at")
    func late() throws {
        var value = try approval()
        let (before, device) = (value, try Example.uuid(2))
        #expect(
            refusal { () throws(Refusal) in
                _ = try value.handle(.choose("Accept", device: device, code: "43"), at: 301_000)
            }?.code == .notificationExpired)
        #expect(value == before)
    }

    @Test("O17: what is approved has the actions Accept and Reject, and rejecting needs no authentication")
    func actions() throws {
        let content = try NotificationContent(approval: "shop asks", message: "Pay?", level: 4)
        #expect(content.actions.map(\.name) == ["Accept", "Reject"])
        #expect(content.actions.map(\.level.rawValue) == [4, 0])
        #expect(content.bodies.map(\.labels) == [["Accept": "Approve", "Reject": "Reject"]])
    }

    @Test("S06: a signing request of level 0 is accepted by signing it, not by saying so")
    func levelZero() throws {
        let (id, device, jti) = (try Example.uuid(7), try Example.uuid(2), try Example.uuid(3))
        let matter = RequestMatter(id: id, asker: "shop", payload: "p", reason: "r", level: 0, type: 0)
        var value = try approval(.offered, level: 0, about: .request(matter))
        #expect(value.matter.id == id && value.matter.word == .request)
        let accept = try NotificationAction(name: "Accept", level: 0)
        #expect(try value.handle(.choose("Accept", device: device), at: 2_000) == .sign(accept))
        #expect(try value.handle(.signed("Accept", device: device, signature: jti), at: 2_000) == .closed)
        guard case .updated(let answer) = value.state else { throw Refusal(.internalFault) }
        #expect(answer.signature == jti)
    }
}
