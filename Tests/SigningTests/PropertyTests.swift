import CountersignVerifier
import Signing
import TestVectors
import Testing

@Suite("Whatever happens, in whatever order")
struct PropertyTests {
    @Test("Ceremony: one id for one generation, generations grow, refusals change nothing", arguments: 0..<50)
    func ceremony(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var ceremony = Ceremony()
        var now: Int64 = 0
        var released: [Int: UUIDText] = [:]
        var proved: Set<Int> = []
        for number in 0..<400 {
            now += Int64.random(in: 0...30_000, using: &random)
            let event = try Self.event(number, near: ceremony.generation, at: now, using: &random)
            let before = ceremony
            guard let effects = try? ceremony.handle(event, at: now) else {
                #expect(ceremony == before)
                continue
            }
            #expect(ceremony.generation >= before.generation)
            for effect in effects {
                if case .sign(let order) = effect {
                    #expect(order.run.generation == ceremony.generation)
                    #expect((order.proof == nil) == (order.run.request.level == .none))
                    #expect(proved.insert(order.run.generation).inserted, "one order a generation")
                }
                if case .release(let id) = effect {
                    #expect(released.updateValue(id, forKey: ceremony.generation) == nil)
                    #expect(proved.contains(ceremony.generation))
                }
            }
            if case .completed(let id) = ceremony.state { #expect(released[ceremony.generation] == id) }
            var once = ceremony
            _ = try once.handle(.reset, at: now)
            #expect(once.state == .idle)
            var twice = once
            #expect(try twice.handle(.reset, at: now) == [] && twice == once)
        }
    }

    private static func event(
        _ number: Int, near generation: Int, at now: Int64, using random: inout SeededGenerator
    ) throws -> Ceremony.Event {
        let near = generation + Int.random(in: -3...3, using: &random) / 3
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            let level = Bool.random(using: &random) ? 0 : 1
            let standing = Standing(asker: try Example.asker(), available: [.password], attemptsLeft: 3)
            return .start(try Example.request(level: level), standing, id: try Example.uuid(number))
        case 2:
            let asker = try Example.asker(session: Int.random(in: 1...2, using: &random))
            return .answer(generation: near, .password, from: asker)
        case 3, 4: return .verified(generation: near, .right(.password(at: now)))
        case 5: return .verified(generation: near, .wrong(left: Int.random(in: 0...2, using: &random)))
        case 6, 7: return .issued(generation: near, try Example.uuid(number))
        case 8:
            return Bool.random(using: &random) ? .cancel(generation: near) : .verified(generation: near, .blocked)
        default: return Bool.random(using: &random) ? .reset : .expire
        }
    }

    @Test(
        "Ledger: never more than three guesses between right answers and blocks, never more than 30", arguments: 0..<50)
    func ledger(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // Half of the runs never answer right, so that they reach the operator.
        let rightShare = seed.isMultiple(of: 2) ? 0 : 2
        var ledger = AttemptLedger()
        var now: Int64 = 0
        var guesses = 0
        var guessesInAll = 0
        var open: [UUIDText] = []
        for number in 0..<2000 {
            now += Int64.random(in: 0...40_000, using: &random)
            if Bool.random(using: &random) || open.isEmpty {
                let id = try Example.uuid(number)
                let expiresAt = now + Int64.random(in: 0...200_000, using: &random)
                let wasBlocked = ledger.blockedUntil.map { now < $0 } ?? false
                switch ledger.take(id, at: now, expiresAt: expiresAt) {
                case .taken(let left):
                    #expect(!wasBlocked && !ledger.needsOperator && (0...2).contains(left))
                    open.append(id)
                case .wait: #expect(!ledger.inFlight.isEmpty)
                case .blocked(let until): #expect(now < until && wasBlocked)
                case .locked: #expect(ledger.needsOperator)
                }
            } else {
                let id = open.remove(at: Int.random(in: open.indices, using: &random))
                let isRight = Int.random(in: 0..<10, using: &random) < rightShare
                let before = ledger
                switch isRight ? ledger.right(id, at: now) : ledger.wrong(id, at: now) {
                case .right:
                    #expect(isRight)
                    guesses = 0
                    guessesInAll = 0
                case .wrong(let left):
                    guesses += 1
                    guessesInAll += 1
                    #expect(!isRight && left == 3 - guesses && left > 0)
                case .blocked where before.blockedUntil.map({ now < $0 }) ?? false:
                    // Late, into a block that others began: nobody learns whether it was right.
                    #expect(ledger.wrongTotal == before.wrongTotal && ledger.blockedUntil == before.blockedUntil)
                case .blocked(let until):
                    guessesInAll += 1
                    #expect(guesses == 2 && !isRight && until > now && ledger.rounds == before.rounds + 1)
                    guesses = 0
                case .locked:
                    if !before.needsOperator { guessesInAll += 1 }
                    guesses = 0
                case .late:
                    #expect(isRight && ledger.wrong == before.wrong && ledger.wrongTotal == before.wrongTotal)
                }
            }
            #expect(ledger.wrong < 3 && ledger.inFlight.count <= 3)
            #expect(ledger.wrong == guesses && guessesInAll <= 30 && ledger.wrongTotal == guessesInAll)
        }
        if rightShare == 0 { #expect(ledger.needsOperator && guessesInAll == 30) }
    }

    @Test("Ledger: times and counts of any size do not trap", arguments: 0..<20)
    func hostile(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let any: (inout SeededGenerator) -> Int64 = { random in
            [.min, .max, 0, Int64.random(in: .min ... .max, using: &random)].randomElement(using: &random) ?? 0
        }
        for _ in 0..<300 {
            var ledger = AttemptLedger(
                wrong: Int(any(&random)), wrongTotal: Int(any(&random)), rounds: Int(any(&random)),
                blockedUntil: Bool.random(using: &random) ? any(&random) : nil)
            for number in 0..<8 {
                let id = try Example.uuid(number)
                _ = ledger.take(id, at: any(&random), expiresAt: any(&random))
                _ =
                    Bool.random(using: &random)
                    ? ledger.wrong(id, at: any(&random)) : ledger.right(id, at: any(&random))
                #expect((0...2).contains(ledger.wrong))
            }
        }
    }
}
