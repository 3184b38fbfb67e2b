import Foundation

/// Level 0 and step-ups, each alone and beside bulk verification on the same machine, in turns.
struct BulkBeside {
    private static let rounds = 3
    private let service: Side
    private let stepUps: StepUps
    private let bulk: BulkProcess
    private let niceness: Int
    private let seconds: Double

    init(_ service: Side, _ stepUps: StepUps, _ bulk: BulkProcess, niceness: Int, seconds: Double) {
        self.service = service
        self.stepUps = stepUps
        self.bulk = bulk
        self.niceness = niceness
        self.seconds = seconds
    }

    func run() throws {
        ServiceRun.title(
            "Beside `countersign verify` of a long file in a process of its own, niceness \(niceness): \(Self.rounds) rounds in turn"
        )
        var (levelZero, stepped) = (Pairs(), Pairs())
        for _ in 0..<Self.rounds {
            let lines = try verify { usleep(UInt32(seconds * 1e6)) }.lines
            try levelZero.add(
                service.load(seconds: seconds).rate, verify { try service.load(seconds: seconds).rate }, lines)
            try stepped.add(stepUps.rate(seconds: seconds), verify { try stepUps.rate(seconds: seconds) }, lines)
        }
        say("| what | alone, a second | beside it | of that | lines verified a second, alone | beside it | of that |")
        say("|---|---|---|---|---|---|---|")
        say(levelZero.row("level 0"))
        say(stepped.row("step-ups by password"))
    }

    private func verify<Value>(_ work: () throws -> Value) throws -> (value: Value, lines: Double) {
        let end = bulk.begin()
        let value: Value
        do { value = try work() } catch {
            _ = try? end()
            throw error
        }
        return (value, try end())
    }

    /// What both have done, alone and beside each other.
    private struct Pairs {
        private var rounds: [(alone: Double, beside: Double, lines: Double, linesBeside: Double)] = []

        mutating func add(_ alone: Double, _ beside: (value: Double, lines: Double), _ lines: Double) {
            rounds.append((alone, beside.value, lines, beside.lines))
        }

        func row(_ name: String) -> String {
            func median(_ value: ((alone: Double, beside: Double, lines: Double, linesBeside: Double)) -> Double)
                -> Double
            {
                Side.median(rounds.map(value))
            }
            func ratio(_ value: Double) -> String { String(format: "%.2f", value) }
            let cells = [
                name, String(format: "%.0f", median { $0.alone }), String(format: "%.0f", median { $0.beside }),
                ratio(median { $0.beside / $0.alone }), String(Int(median { $0.lines })),
                String(Int(median { $0.linesBeside })), ratio(median { $0.linesBeside / $0.lines }),
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
    }
}
