import Signing
import Testing

struct RefusalTable: Codable {
    struct Entry: Codable, Equatable {
        let code: Int
        let name: String
        let text: String
    }
    let refusals: [Entry]
}

@Suite("The catalogue of refusals")
struct RefusalTests {
    @Test("S20-S22, D11: refusals.json is the catalogue; numbers, names and texts are its own each")
    func catalogue() throws {
        let entries = Refusal.Code.allCases.map {
            RefusalTable.Entry(code: $0.rawValue, name: $0.name, text: $0.text)
        }
        #expect(try Table.load(RefusalTable.self, from: "refusals.json").refusals == entries)
        #expect(Set(entries.map(\.code)).count == entries.count)
        #expect(Set(entries.map(\.name)).count == entries.count)
        #expect(Set(entries.map(\.text)).count == entries.count)
        #expect(entries.allSatisfy { [102, 146, 153, 214].contains($0.code) || $0.code >= 1000 })
    }

    @Test("Names are kebab case, texts are sentences", arguments: Refusal.Code.allCases)
    func form(code: Refusal.Code) {
        #expect(code.name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil)
        #expect(code.text.first?.isUppercase == true && code.text.hasSuffix("."))
    }

    @Test("S50, attack S10: a failed authentication names no factor and no user")
    func failedAuthentication() {
        for refusal in [Refusal(.authenticationFailed, .attemptsLeft(2)), .exhausted] {
            for word in ["password", "biometric", "user", "lock", "block", "unknown", "exist"] {
                #expect(!refusal.text.lowercased().contains(word))
            }
        }
    }

    @Test("C09, O01: the last wrong answer is error 102 with status 153")
    func exhausted() {
        #expect(Refusal.exhausted.code.rawValue == 102)
        #expect(Refusal.exhausted.status?.rawValue == 153)
        #expect(Refusal(.authenticationFailed, .attemptsLeft(1)).status == nil)
        #expect(Refusal(.cancelled).status == nil)
    }

    @Test("Facts are told after the text, and every fact differently")
    func facts() {
        let facts: [Refusal.Fact] = [
            .attemptsLeft(2), .attemptsLeft(0), .characters(count: 501, limit: 500), .bytes(count: 4097, limit: 4096),
            .minimum(8), .character("\u{202E}", offset: 7), .notUTF8(offset: 3), .pair(level: 2, type: 0),
            .levelZeroOff, .noAuthenticator, .coolingOff(until: 0), .probation(until: 0), .behind(seconds: 61),
            .keyState("retired"), .member("user"), .retryAfter(seconds: 7), .maxAge(seconds: 43_200), .limit(1_000),
            .item(3, nil), .item(3, .limit(1_000)),
        ]
        #expect(Set(facts.map(\.text)).count == facts.count)
        #expect(Refusal(.payloadTooLong, facts[2]).text.hasSuffix("It has 501 characters, and 500 are allowed."))
        #expect(Refusal(.reasonCharacter, facts[5]).text.hasSuffix("It is U+202E at byte 7."))
        let hostile = "\u{1B}[2J" + String(repeating: "x", count: 100)
        #expect(
            Refusal(.memberUnknown, .member(hostile)).text.hasSuffix(
                #""\u{001B}[2J\#(String(repeating: "x", count: 60))..."."#))
        #expect(Refusal(.storeBusy).description == "1501 The store is busy with other work. Try again in a moment.")
    }

    @Test(
        "Times are told in UTC, a begun second as a whole one",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:01Z"), (-1, "1970-01-01T00:00:00Z"),
            (-86_400_000, "1969-12-31T00:00:00Z"), (951_782_399_000, "2000-02-28T23:59:59Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"), (1_767_225_600_000, "2026-01-01T00:00:00Z"),
            (1_760_009_989_000, "2025-10-09T11:39:49Z"), (4_107_542_399_001, "2100-03-01T00:00:00Z"),
            (.max, "292278994-08-17T07:12:56Z"), (.min, "-292275055-05-16T16:47:05Z"),
        ] as [(Int64, String)])
    func times(milliseconds: Int64, text: String) {
        #expect(UTCTime.text(milliseconds) == text)
    }
}
