import CountersignVerifier
import Foundation
import Histogram
import ServiceSubjects

/// Everything about the daemon under load, in one run: three servers in turn, then the daemon alone.
struct ServiceRun {
    private var rounds: Int { isBrief ? 3 : 7 }
    private var seconds: Double { isBrief ? 2 : 3 }
    /// The load at which latency is reported once more: this part of what the daemon can do.
    private static let calmLoad = 0.5

    private let daemon: String
    private let path: String
    private let isBrief: Bool

    /// - Parameter isBrief: only the first table, and quickly: for whoever changes something.
    init(daemon: String, in directory: String, isBrief: Bool) {
        self.daemon = daemon
        self.isBrief = isBrief
        path = "\(directory)/countersign-load-\(UUID().uuidString)"
    }

    func run() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await SubjectStore.make(at: path)
        let token = try await store.logInService()
        let device = try await store.enrolDevice()
        let keySet = try await store.keySet()
        await store.close()

        let hello = Side("hello JSON", try ChildProcess(Self.executable, ["hello"]), token, keySet: nil)
        let recordless = Side(
            "the route, no record", try ChildProcess(Self.executable, ["recordless", path]), token, keySet: keySet)
        let port = try Self.freePort()
        let service = Side(
            "countersignd", try Self.startDaemon(daemon, storeAt: path, port: port), token, keySet: keySet)
        var memory = Memory(service)
        let requests = DeviceRequests(port: port, device: device)

        Self.title(
            "Level 0 for a relying service: \(rounds) rounds of \(Int(seconds)) s in turn, 64 connections")
        let sides = [hello, recordless, service]
        for side in sides { try side.load(seconds: 1) }
        memory.look()
        for side in sides { side.forget() }
        for round in 0..<rounds {
            for index in sides.indices {
                try sides[(index + round) % sides.count].load(seconds: seconds)
                memory.look()
            }
        }
        say("| server | a second | its CPU, µs | the load's | p50 ms | p99 ms | p99.9 ms | of hello | of no record |")
        say("|---|---|---|---|---|---|---|---|---|")
        for side in sides { say(side.row(beside: [hello, recordless])) }
        if isBrief {
            service.process.stop()
            return try await account(for: service)
        }

        Self.title("The same at \(Int(Self.calmLoad * 100)) % of that load, each request counted from when it was due")
        let calm = try service.load(seconds: 10, rate: service.rate * Self.calmLoad)
        say("\(Int(calm.rate)) a second: \(Self.percentiles(calm))")

        Self.title("Level 0 for a device's session, a proof for each request, made beforehand: 5 rounds in turn")
        hello.forget()
        for round in 0..<5 {
            try hello.load(seconds: 1)
            try service.load(requests.signings(round * 6_000..<(round + 1) * 6_000))
        }
        let ratio = String(format: "%.2f", service.deviceRate / hello.rate)
        say(
            "\(Int(service.deviceRate)) a second, \(service.deviceCPU) µs of the server's CPU, \(ratio) of hello JSON")

        try Flood(service, hello, requests, seconds).run()
        try memory.fill()
        memory.report()
        service.process.stop()
        try await account(for: service)
    }

    static func title(_ text: String) { say("\n## \(text)\n") }

    static func percentiles(_ figures: Load.Figures) -> String {
        [50, 99, 99.9].map { percentile in
            String(format: "p%g %.1f ms", percentile, Double(figures.latency.valueAtPercentile(percentile)) / 1000)
        }.joined(separator: ", ")
    }

    /// The store must have as many statements, audit rows and kept replies as there were answers.
    private func account(for service: Side) async throws {
        let store = try await SubjectStore(at: path)
        let counts = try await store.counts()
        await store.close()
        let all = service.signed + service.steppedUp
        guard counts == (all, all, service.signed) else {
            throw Fault("\(all) were signed, \(service.steppedUp) of them without a name, and on record are \(counts)")
        }
        say("\nAll \(all) statements that the daemon gave are valid, and on record with their audit rows and replies.")
    }

    static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// A daemon without limits by address: all requests come from one.
    static func startDaemon(_ daemon: String, storeAt path: String, port: Int) throws -> ChildProcess {
        let flags = ["--requests-per-minute", "0", "--attempts-per-minute", "0"]
        return try ChildProcess(daemon, ["--data", path, "--listen", "127.0.0.1:\(port)"] + flags)
    }

    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard status else { throw Fault("no port") }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}

/// One of the servers, with what was measured of it.
final class Side {
    let name: String
    let process: ChildProcess
    /// How many signatures it gave, all verified.
    private(set) var signed = 0
    /// How many it gave at level 1, of which the requests had no idempotency key.
    private(set) var steppedUp = 0
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
        var latency = rounds[0].figures.latency
        for round in rounds.dropFirst() { latency.add(round.figures.latency) }
        func milliseconds(_ percentile: Double) -> String {
            String(format: "%.1f", Double(latency.valueAtPercentile(percentile)) / 1000)
        }
        let ratios = others.map { other in
            String(format: "%.2f", Self.median(zip(rounds, other.rounds).map { $0.figures.rate / $1.figures.rate }))
        }
        let cpu = Int(Self.median(rounds.map(\.cpu)))
        let load = Int(Self.median(rounds.map { $0.figures.cpu * 1e6 / Double($0.figures.answers) }))
        return
            "| \(name) | \(Int(rate)) | \(cpu) | \(load) | \(milliseconds(50)) | \(milliseconds(99)) | \(milliseconds(99.9)) | "
            + ratios.joined(separator: " | ") + " |"
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return 0 }
        return sorted.count.isMultiple(of: 2)
            ? (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
            : sorted.count == 1 ? last : sorted[sorted.count / 2]
    }
}
