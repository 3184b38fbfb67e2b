import Devices
import Signing
import TestVectors
import Testing

@Suite("Cooling-off and probation")
struct CoolingOffTests {
    private static let rules = CoolingOffRules.standard

    private static func refused(until end: Int64) -> Refusal {
        Refusal(.deviceNotAllowed, .coolingOff(until: end))
    }

    @Test("O22, D11, D30: five changes in a minute begin a minute of cooling-off; to the millisecond")
    func begins() throws {
        var cooling = CoolingOff()
        for time in Int64(1)...4 {
            try cooling.change(1, at: time, by: Self.rules)
            #expect(cooling.end(at: time, by: Self.rules) == nil)
        }
        try cooling.change(1, at: 5, by: Self.rules)
        for (now, end) in [(5, 60_005), (60_004, 60_005), (60_005, nil)] as [(Int64, Int64?)] {
            #expect(cooling.end(at: now, by: Self.rules) == end)
        }
    }

    @Test("O22: what is refused neither counts nor makes it longer, and afterwards all changes count anew")
    func refusals() throws {
        var cooling = CoolingOff()
        try cooling.change(5, at: 0, by: Self.rules)
        let before = cooling
        for now in stride(from: Int64(0), to: 60_000, by: 500) {
            #expect(throws: Self.refused(until: 60_000)) { try cooling.change(1, at: now, by: Self.rules) }
            #expect(cooling == before)
        }
        try cooling.change(4, at: 60_000, by: Self.rules)
        #expect(cooling.end(at: 60_000, by: Self.rules) == nil)
        try cooling.change(1, at: 60_001, by: Self.rules)
        #expect(cooling.end(at: 60_001, by: Self.rules) == 120_001)
    }

    @Test("O22: a change counts for the length of the window, not a millisecond longer")
    func window() throws {
        for (last, isCooling) in [(Int64(59_999), true), (60_000, false)] {
            var cooling = CoolingOff()
            try cooling.change(4, at: 0, by: Self.rules)
            try cooling.change(1, at: last, by: Self.rules)
            #expect((cooling.end(at: last, by: Self.rules) != nil) == isCooling)
        }
    }

    @Test("O24: each device of several at once counts; a first call with all of them is not refused")
    func batch() throws {
        var cooling = CoolingOff()
        try cooling.change(100, at: 7, by: Self.rules)
        #expect(cooling.until == 60_007)
        #expect(cooling.times.isEmpty)
    }

    @Test("O22: switched off it never begins, and what lasts ends; a count of one cools off after each change")
    func rules() throws {
        var off = Self.rules
        off.changes = 0
        var cooling = CoolingOff()
        for time in Int64(0)..<50 { try cooling.change(10, at: time, by: off) }
        #expect(cooling == CoolingOff())
        try cooling.change(5, at: 50, by: Self.rules)
        #expect(cooling.end(at: 51, by: Self.rules) == 60_050)
        #expect(cooling.end(at: 51, by: off) == nil)
        try cooling.change(1, at: 51, by: off)
        #expect(cooling.until == nil)
        let each = CoolingOffRules(changes: 1, window: 1, length: 10)
        try cooling.change(1, at: 60, by: each)
        #expect(throws: Self.refused(until: 70)) { try cooling.change(1, at: 69, by: each) }
        try cooling.change(1, at: 70, by: each)
    }

    @Test("D7: times at the ends of the range trap nothing; a clock that goes back ends nothing early")
    func extremes() throws {
        var cooling = CoolingOff()
        try cooling.change(5, at: .max - 1, by: Self.rules)
        #expect(cooling.until == .max)
        #expect(cooling.end(at: .min, by: Self.rules) == .max)
        var early = CoolingOff()
        try early.change(4, at: .min, by: Self.rules)
        try early.change(1, at: .max, by: Self.rules)
        #expect(early.until == nil)
    }

    @Test("O22: against a model that keeps every change", arguments: 0..<40)
    func model(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rules = CoolingOffRules(
            changes: Int.random(in: 1...6, using: &random), window: Int64.random(in: 1...50, using: &random),
            length: Int64.random(in: 1...50, using: &random))
        var cooling = CoolingOff()
        var (now, counted, end): (Int64, [Int64], Int64) = (0, [], 0)
        for _ in 0..<300 {
            now += Int64.random(in: 0...20, using: &random)
            // What a restart does.
            cooling = CoolingOff(times: cooling.times, until: cooling.until)
            let count = Int.random(in: 1...2, using: &random)
            let isAllowed = now >= end
            #expect((cooling.end(at: now, by: rules) == nil) == isAllowed)
            guard isAllowed else {
                #expect(throws: Self.refused(until: end)) { try cooling.change(count, at: now, by: rules) }
                continue
            }
            try cooling.change(count, at: now, by: rules)
            counted += Array(repeating: now, count: count)
            if counted.count(where: { $0 + rules.window > now }) >= rules.changes {
                (counted, end) = ([], now + rules.length)
            }
            #expect(cooling.times.count < rules.changes)
        }
    }

    @Test(
        "D2: probation ends to the millisecond, and a length of nothing is none",
        arguments: [
            (100, 0, 100, nil), (100, 50, 100, 150), (100, 50, 149, 150), (100, 50, 150, nil), (100, 50, 0, 150),
            (.max, 50, .max - 1, .max), (.max, 50, .max, nil),
        ] as [(Int64, Int64, Int64, Int64?)])
    func probation(activatedAt: Int64, length: Int64, now: Int64, end: Int64?) {
        #expect(Probation(length: length).end(activatedAt: activatedAt, at: now) == end)
    }
}
