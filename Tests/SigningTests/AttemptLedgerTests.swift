import CountersignVerifier
import Signing
import Testing

struct AttemptTable: Codable {
    struct Scenario: Codable, Sendable, CustomTestStringConvertible {
        let name: String
        let rules: Rules?
        let start: Start?
        let steps: [Step]
        var testDescription: String { name }
    }
    struct Rules: Codable, Sendable {
        let attempts: Int
        let blockMinutes: [Int]
        let operatorAfter: Int
    }
    struct Start: Codable, Sendable {
        let wrong: Int?
        let wrongTotal: Int?
        let rounds: Int?
        let blockedUntil: Int64?
        let needsOperator: Bool?
        let inFlight: [InFlight]?
    }
    /// `[id, expiresAt]`.
    struct InFlight: Codable, Sendable {
        let id: String
        let expiresAt: Int64

        init(from decoder: any Decoder) throws {
            var pair = try decoder.unkeyedContainer()
            id = try pair.decode(String.self)
            expiresAt = try pair.decode(Int64.self)
        }

        func encode(to encoder: any Encoder) throws {
            var pair = encoder.unkeyedContainer()
            try pair.encode(id)
            try pair.encode(expiresAt)
        }
    }
    struct Step: Codable, Sendable {
        let `do`: String
        let id: String?
        let at: Int64
        let expires: Int64?
        let `is`: String?
        let left: Int?
        let until: Int64?
    }
    let scenarios: [Scenario]
}

@Suite("Attempts")
struct AttemptLedgerTests {
    @Test(
        "S28, S31, O01, O02; attacks S1, S2, S4, S15: the ledger",
        arguments: try Table.load(AttemptTable.self, from: "attempts.json").scenarios)
    func scenario(_ scenario: AttemptTable.Scenario) throws {
        var ledger = try Self.ledger(scenario)
        for (number, step) in scenario.steps.enumerated() {
            let id = try Self.id(step.id ?? "-")
            let answer: (is: String?, left: Int?, until: Int64?)
            switch step.do {
            case "take":
                answer = Self.words(ledger.take(id, at: step.at, expiresAt: try #require(step.expires)))
            case "right": answer = Self.words(ledger.right(id, at: step.at))
            case "wrong": answer = Self.words(ledger.wrong(id, at: step.at))
            case "give-back":
                ledger.giveBack(id)
                answer = (nil, nil, nil)
            case "unlock":
                ledger.unlock()
                answer = (nil, nil, nil)
            default: throw UnknownStep(name: step.do)
            }
            #expect(answer == (step.is, step.left, step.until), "step \(number + 1)")
            #expect(ledger.wrong + ledger.inFlight.count <= ledger.rules.attempts)
        }
    }

    @Test("Settings that make no sense are refused")
    func rules() {
        #expect(AttemptRules(attempts: 3, blockMinutes: [5, 10, 15], operatorAfter: 30) == .standard)
        let wrong: [(Int, [Int], Int)] = [
            (0, [5], 30), (11, [5], 30), (3, [], 30), (3, [0], 30), (3, [5, 1441], 30), (3, [5], 2), (3, [5], 1001),
            (.max, [5], .max), (.min, [5], 30), (3, [.max], 30), (3, Array(repeating: 1, count: 11), 30),
        ]
        for (attempts, minutes, total) in wrong {
            #expect(AttemptRules(attempts: attempts, blockMinutes: minutes, operatorAfter: total) == nil)
        }
    }

    struct UnknownStep: Error { let name: String }

    private static func ledger(_ scenario: AttemptTable.Scenario) throws -> AttemptLedger {
        let rules = try scenario.rules.map {
            try #require(
                AttemptRules(
                    attempts: $0.attempts, blockMinutes: $0.blockMinutes, operatorAfter: $0.operatorAfter))
        }
        let start = scenario.start
        return AttemptLedger(
            rules: rules ?? .standard, wrong: start?.wrong ?? 0, wrongTotal: start?.wrongTotal ?? 0,
            rounds: start?.rounds ?? 0, blockedUntil: start?.blockedUntil,
            needsOperator: start?.needsOperator ?? false,
            inFlight: try (start?.inFlight ?? []).map {
                AttemptLedger.Attempt(id: try id($0.id), expiresAt: $0.expiresAt)
            })
    }

    /// The tables' labels of one character, as ids.
    private static func id(_ label: String) throws -> UUIDText {
        try Example.uuid(Int(try #require(label.unicodeScalars.first).value))
    }

    private static func words(_ taken: AttemptLedger.Taken) -> (String?, Int?, Int64?) {
        switch taken {
        case .taken(let left): ("taken", left, nil)
        case .wait(let until): ("wait", nil, until)
        case .blocked(let until): ("blocked", nil, until)
        case .locked: ("locked", nil, nil)
        }
    }

    private static func words(_ settlement: AttemptLedger.Settlement) -> (String?, Int?, Int64?) {
        switch settlement {
        case .right: ("right", nil, nil)
        case .wrong(let left): ("wrong", left, nil)
        case .blocked(let until): ("blocked", nil, until)
        case .locked: ("locked", nil, nil)
        case .late: ("late", nil, nil)
        }
    }
}
