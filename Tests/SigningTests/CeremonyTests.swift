import CountersignVerifier
import Signing
import Testing

struct CeremonyTable: Codable {
    struct Cell: Codable, Sendable, CustomTestStringConvertible {
        let state: String
        let event: String
        let at: Int64
        let next: String?
        let generation: Int?
        let effects: [String]?
        let refusal: String?
        var testDescription: String { "\(state) x \(event) at \(at)" }
    }
    let generation: Int
    let issuedAt: Int64
    let expiresAt: Int64
    let cells: [Cell]
}

@Suite("The ceremony")
struct CeremonyTests {
    @Test(
        "S12, S13, S30-S34, O08; attacks S3-S7: every state x event",
        arguments: try Table.load(CeremonyTable.self, from: "ceremony.json").cells)
    func cell(_ cell: CeremonyTable.Cell) throws {
        let before = try CeremonyWords.ceremony(in: cell.state)
        let event = try CeremonyWords.event(cell.event, at: cell.at)
        var ceremony = before
        do throws(Refusal) {
            let effects = try ceremony.handle(event, at: cell.at)
            #expect(cell.refusal == nil, "it stands")
            #expect(CeremonyWords.name(of: ceremony.state) == cell.next)
            #expect(ceremony.generation == cell.generation)
            #expect(effects.map(CeremonyWords.name) == cell.effects)
        } catch {
            #expect(error.name == cell.refusal)
            #expect(ceremony == before, "a refused event leaves it untouched")
        }
    }

    @Test("The table has every state x event, before, at and after the end")
    func complete() throws {
        let table = try Table.load(CeremonyTable.self, from: "ceremony.json")
        #expect(table.generation == CeremonyWords.generation)
        #expect(table.issuedAt == CeremonyWords.issuedAt && table.expiresAt == CeremonyWords.expiresAt)
        let end = table.expiresAt
        let wanted = CeremonyWords.states.flatMap { state in
            CeremonyWords.events.flatMap { event in [end - 1, end, end + 1].map { "\(state) \(event) \($0)" } }
        }
        let found = table.cells.map { "\($0.state) \($0.event) \($0.at)" }
        #expect(Set(found) == Set(wanted) && found.count == wanted.count)
    }

    @Test(
        "S12, S13: a challenge shows the request, mode 12 and how long it lives; a wrong answer changes attempts and status"
    )
    func challenge() throws {
        var ceremony = Ceremony()
        let request = try Example.request(audience: "shop")
        let asker = try Example.asker(device: 3)
        let standing = Standing(asker: asker, available: [.password, .biometric], attemptsLeft: 3)
        let effects = try ceremony.handle(.start(request, standing, id: Example.uuid(9)), at: 1000)
        let run = Run(
            id: try Example.uuid(9), generation: 1, request: request, asker: asker, issuedAt: 1000, expiresAt: 121_000)
        #expect(Challenge.mode == 12)
        #expect(
            effects == [.present(Challenge(run: run, method: .biometric, attemptsLeft: 3, status: .success))])
        let next = Challenge(run: run, method: .biometric, attemptsLeft: 2, status: .authenticationFailed)
        let entry = try ceremony.handle(.verified(generation: 1, .wrong(left: 2)), at: 2000)
        #expect(entry.last == .present(next) && ceremony.state == .challenged(next))
        #expect(next.status.rawValue == 102)
    }

    @Test("Attack S7: what is signed is the request of the state, whatever came with the answer")
    func order() throws {
        var ceremony = try CeremonyWords.ceremony(in: "challenged")
        let held = try #require(ceremony.run)
        let proof = Proof.password(at: 1_000_500)
        let effects = try ceremony.handle(.verified(generation: 5, .right(proof)), at: 1_000_500)
        guard case .sign(let order) = effects.first else {
            Issue.record("no order")
            return
        }
        #expect(order.run == held && order.proof == proof && effects.count == 1)
    }

    @Test("Level 0 is signed without a proof, every other level with one")
    func levelZero() throws {
        var ceremony = Ceremony()
        let standing = Standing(asker: try Example.asker(), available: [.password], attemptsLeft: 3)
        let effects = try ceremony.handle(
            .start(Example.request(level: 0), standing, id: Example.uuid(9)), at: 0)
        guard case .sign(let order) = effects.first else {
            Issue.record("no order")
            return
        }
        #expect(order.proof == nil && order.run.request.level == .none)
    }

    @Test("Attack S3: twenty right answers to one challenge give one statement")
    func once() throws {
        var ceremony = try CeremonyWords.ceremony(in: "challenged")
        var orders = 0
        var released = 0
        for number in 0..<20 {
            let proof = Proof.password(at: 1_000_500)
            if let effects = try? ceremony.handle(.verified(generation: 5, .right(proof)), at: 1_000_500) {
                orders += effects.count
            }
            let issued = try? ceremony.handle(.issued(generation: 5, Example.uuid(number)), at: 1_000_600)
            if issued?.last == .release(try Example.uuid(number)) { released += 1 }
        }
        #expect(orders == 1 && released == 1)
        #expect(ceremony.state == .completed(try Example.uuid(0)))
    }

    @Test("Attack S5: a reset between the right answer and its record wins, and nothing is released")
    func resetWins() throws {
        var ceremony = try CeremonyWords.ceremony(in: "signing")
        _ = try ceremony.handle(.reset, at: 1_000_500)
        let after = ceremony
        #expect(throws: Refusal(.challengeReplaced)) {
            try ceremony.handle(.issued(generation: 5, Example.uuid(1)), at: 1_000_501)
        }
        #expect(ceremony == after && ceremony.state == .idle)
        #expect(try ceremony.handle(.reset, at: 1_000_502) == [] && ceremony == after)
    }

    @Test("Audit rows carry the run, the kind of evidence and the time, and no secret")
    func audit() throws {
        var ceremony = try CeremonyWords.ceremony(in: "challenged")
        let run = try #require(ceremony.run)
        let effects = try ceremony.handle(.cancel(generation: 5), at: 1_000_700)
        guard case .audit(let entry) = effects.first else {
            Issue.record("no audit row")
            return
        }
        #expect(entry.run == run && entry.method == .password && entry.time == 1_000_700)
        #expect(entry.outcome == .cancelled)
    }

    @Test("The ends of the ranges do not trap")
    func extremes() throws {
        var ceremony = Ceremony(generation: .max)
        let standing = Standing(
            asker: try Example.asker(), available: [.password], attemptsLeft: .min, probationUntil: .min)
        _ = try ceremony.handle(.start(Example.request(), standing, id: Example.uuid(1)), at: .max - 1)
        #expect(ceremony.generation == .max && ceremony.run?.expiresAt == .max)
        _ = try ceremony.handle(.verified(generation: .max, .wrong(left: .min)), at: .min)
        #expect(ceremony.state == .failed(.exhausted))
    }
}
