import CountersignVerifier
import Foundation
import ServiceSubjects

/// One of the servers, with what was measured of it.
final class Side {
    let name: String
    let process: ChildProcess
    /// How many signatures it gave, all verified.
    private(set) var signed = 0
    /// How many it gave at level 1, of which the requests had no idempotency key.
    private(set) var steppedUp = 0
    /// Some of the statements that it gave.
    private(set) var examples: [String] = []
    private var deviceRounds: [(rate: Double, cpu: Double)] = []
    private let token: String
    private let keySet: [UInt8]?
    private var rounds: [(figures: Load.Figures, cpu: Double)] = []
    private var runs = 0

    /// - Parameter keySet: what its signatures are verified with; nil where it signs nothing.
    init(_ name: String, _ process: ChildProcess, _ token: String, keySet: [UInt8]?) {
        self.name = name
        self.process = process
        self.token = token
        self.keySet = keySet
    }

    /// One round. Every signature is verified when its clock has stopped.
    @discardableResult
    func load(seconds: Double, rate: Double? = nil) throws -> Load.Figures {
        runs += 1
        let requests = SigningRequests(
            port: process.port, run: "load-\(runs)", authorization: ["Authorization: Bearer \(token)"],
            user: SubjectStore.user)
        let evidence = Evidence()
        let before = process.cpu
        let figures = try Load(port: process.port, rate: rate, seconds: seconds).run({ requests[$0] }) {
            number, answer in
            guard answer.status == 201 else { throw Fault("\(name): \(String(decoding: answer.body, as: UTF8.self))") }
            if keySet != nil { evidence.keep(number, answer.body) }
        }
        let cpu = (process.cpu - before) * 1e6 / Double(figures.answers)
        if rate == nil { rounds.append((figures, cpu)) }
        if let keySet { try evidence.verify(keySet, audience: .exactly(SubjectStore.service)) }
        signed += evidence.count
        if keySet != nil, examples.isEmpty { examples = evidence.statements(atMost: 10_000) }
        return figures
    }

    /// Verifies the statements of step-ups, and counts them.
    func verifyStepUps(_ evidence: Evidence) throws {
        if let keySet { try evidence.verify(keySet, audience: .none) }
        steppedUp += evidence.count
    }

    /// One round of a device's requests, until all are answered.
    func load(_ requests: [[UInt8]]) throws {
        let evidence = Evidence()
        let before = process.cpu
        let first = deviceRounds.count * requests.count
        let figures = try Load(port: process.port, seconds: 60).run({ $0 < requests.count ? requests[$0] : nil }) {
            number, answer in
            guard answer.status == 201 else { throw Fault("\(name): \(String(decoding: answer.body, as: UTF8.self))") }
            evidence.keep(first + number, answer.body)
        }
        deviceRounds.append((figures.rate, (process.cpu - before) * 1e6 / Double(figures.answers)))
        if let keySet { try evidence.verify(keySet, audience: .none) }
        signed += evidence.count
    }

    var deviceRate: Double { Self.median(deviceRounds.map(\.rate)) }
    var deviceCPU: Int { Int(Self.median(deviceRounds.map(\.cpu))) }

    /// Forgets the rounds so far: they were to get warm.
    func forget() { rounds = [] }

    var rate: Double { Self.median(rounds.map(\.figures.rate)) }

    /// The line of the table: medians of the rounds, and of the ratios within each round.
    func row(beside others: [Side]) -> String {
        let ratios = others.map { other in
            String(format: "%.2f", Self.median(zip(rounds, other.rounds).map { $0.figures.rate / $1.figures.rate }))
        }
        let cpu = Int(Self.median(rounds.map(\.cpu)))
        let load = Int(Self.median(rounds.map { $0.figures.cpu * 1e6 / Double($0.figures.answers) }))
        return "| \(name) | \(Int(rate)) | \(cpu) | \(load) | " + ratios.joined(separator: " | ") + " |"
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return 0 }
        return sorted.count.isMultiple(of: 2)
            ? (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
            : sorted.count == 1 ? last : sorted[sorted.count / 2]
    }
}
