import Notifications
import Signing
import Testing

@Suite("What a notification may say")
struct ContentTests {
    private func refusal(_ body: () throws -> Void) -> Refusal? {
        do {
            try body()
            return nil
        } catch { return error as? Refusal }
    }

    private func malformed(_ member: String) -> Refusal { Refusal(.notificationMalformed, .member(member)) }

    @Test("Subject, message and labels have their limits, in characters and in bytes")
    func limits() throws {
        let family = "👨‍👩‍👧‍👦"
        for (limit, build) in [
            (200, { try Example.body(subject: $0) }), (2000, { try Example.body(message: $0) }),
            (64, { try Example.body(labels: ["A": $0]) }),
        ] as [(Int, (String) throws -> NotificationBody)] {
            _ = try build(String(repeating: "x", count: limit))
            _ = try build(String(repeating: "\u{1F600}", count: limit))
            for text in [
                "", "  ", "\u{3164}", String(repeating: "x", count: limit + 1), String(repeating: family, count: limit),
                "a\u{202E}b", "a\u{0}b", "a\u{1B}[2J", "a\u{2028}b",
            ] {
                #expect(refusal { _ = try build(text) }?.code == .notificationMalformed, "\(text.debugDescription)")
            }
        }
        #expect(refusal { _ = try Example.body(subject: "a\nb") } == malformed("subject"))
        #expect(refusal { _ = try Example.body(labels: ["A": "a\tb"]) } == malformed("label"))
        _ = try Example.body(message: "a\n\tb")
    }

    @Test(
        "A language is a tag", arguments: [("en", true), ("de-CH", true), ("zh-Hans-CN", true), ("sl-1994", true)])
    func languages(tag: String, isRight: Bool) throws {
        #expect(try Example.body(tag).language == tag)
    }

    @Test(
        "What is no language is refused",
        arguments: ["", "e", "e1", "en_US", "en-", "-en", "en--US", "abcdefghi", "en-123456789", "en ", "ä", "en\u{0}"])
    func noLanguage(tag: String) {
        #expect(refusal { _ = try Example.body(tag) } == malformed("lng"))
    }

    @Test(
        "O26, attack N3: an action has one spelling, of ASCII",
        arguments: ["Accept", "accept", "It was not me", "a", String(repeating: "x", count: 64)])
    func actions(name: String) throws {
        #expect(try NotificationAction(name: name, level: 0).name == name)
    }

    @Test(
        "What is no action is refused; NONE says that there was none (H12)",
        arguments: ["", " ", " a", "a ", "a\n", "é", "\u{212A}", "NONE", "a\u{0}", String(repeating: "x", count: 65)])
    func noAction(name: String) {
        #expect(refusal { _ = try NotificationAction(name: name, level: 0) } == malformed("action"))
    }

    @Test("The level of an action is one of the matrix", arguments: [-1, 0, 1, 2, 3, 4, 5])
    func levels(level: Int) {
        let isRight = [0, 1, 4].contains(level)
        let found = refusal { _ = try NotificationAction(name: "A", level: level) }
        #expect(found == (isRight ? nil : Refusal(.methodNotSupported, .pair(level: level, type: 0))))
    }

    @Test("A23: each language has a label for each action, and no other; neither comes twice")
    func together() throws {
        let accept = try NotificationAction(name: "Accept", level: 0)
        let body = try Example.body(labels: ["Accept": "Yes"])
        _ = try NotificationContent(bodies: [body], actions: [accept])
        #expect(refusal { _ = try NotificationContent(bodies: [body], actions: []) } == malformed("labels"))
        #expect(refusal { _ = try NotificationContent(bodies: [], actions: []) } == malformed("body"))
        #expect(
            refusal { _ = try NotificationContent(bodies: [body], actions: [accept, accept]) } == malformed("actions"))
        let other = try Example.body("EN", labels: ["Accept": "Yes"])
        #expect(refusal { _ = try NotificationContent(bodies: [body, other], actions: [accept]) } == malformed("body"))
        let bare = try Example.body("de", labels: [:])
        #expect(
            refusal { _ = try NotificationContent(bodies: [body, bare], actions: [accept]) } == malformed("labels"))
        #expect(refusal { _ = try Example.body(labels: ["\u{212A}": "Yes"]) } == malformed("labels"))
        let many = try (0...8).map { try NotificationAction(name: "A\($0)", level: 0) }
        let labels = Dictionary(uniqueKeysWithValues: many.map { ($0.name, "x") })
        #expect(
            refusal { _ = try NotificationContent(bodies: [Example.body(labels: labels)], actions: many) }
                == malformed("actions"))
        let languages = try "abcdefghijk".map { try Example.body("a\($0)", labels: [:]) }
        _ = try NotificationContent(bodies: Array(languages.prefix(10)), actions: [])
        #expect(refusal { _ = try NotificationContent(bodies: languages, actions: []) } == malformed("body"))
    }

    @Test("A22, A25: the first language counts where none is chosen; one that is not there is none")
    func language() throws {
        let content = try Example.content([Example.body(), Example.body("de", subject: "Überweisung")])
        #expect(content.body(in: nil)?.language == "en")
        #expect(content.body(in: "de")?.subject == "Überweisung")
        #expect(content.body(in: "DE") == nil)
        #expect(content.searched == "Transfer\nPay 5.00 EUR to Bob?\nÜberweisung\nPay 5.00 EUR to Bob?")
    }

    @Test("O18: five minutes to answer, a week to read; ten seconds to thirty days may be asked for")
    func lives() throws {
        #expect(try Example.notification(life: nil).expiresAt == 301_000)
        #expect(try Example.notification(Example.toRead(), life: nil).expiresAt == 604_801_000)
        for life in [10_000, 2_592_000_000] as [Int64] { _ = try Example.notification(life: life) }
        for life in [9_999, 0, -1, .min, .max, 2_592_000_001] as [Int64] {
            #expect(refusal { _ = try Example.notification(life: life) } == malformed("expiresIn"))
        }
        #expect(try Example.notification(at: .max).expiresAt == .max)
    }

    @Test("Enterprises have names of visible ASCII")
    func enterprises() throws {
        try EnterpriseName.check("acme")
        for text in ["", "a b", "ä", String(repeating: "x", count: 65)] {
            #expect(refusal { try EnterpriseName.check(text) } == malformed("enterprise"))
        }
    }
}
