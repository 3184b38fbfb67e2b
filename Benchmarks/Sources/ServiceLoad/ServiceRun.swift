import Foundation
import ServiceSubjects

/// Everything about the daemon under load, in one run: three servers in turn, then the daemon alone.
struct ServiceRun {
    private var rounds: Int { isBrief ? 3 : 7 }
    private var seconds: Double { isBrief ? 2 : 3 }
    /// The load at which latency is reported once more: this part of what the daemon can do.
    private static let calmLoad = 0.5

    private let daemon: String
    private let directory: String
    private let path: String
    private let niceness: Int
    private let isBrief: Bool

    /// - Parameters:
    ///   - niceness: that of the bulk verification beside it.
    ///   - isBrief: only the first table, and quickly: for whoever changes something.
    init(daemon: String, in directory: String, niceness: Int, isBrief: Bool) {
        self.daemon = daemon
        self.directory = directory
        self.niceness = niceness
        self.isBrief = isBrief
        path = "\(directory)/countersign-load-\(UUID().uuidString)"
    }

    func run() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await SubjectStore.make(at: path)
        let token = try await store.logInService()
        let device = try await store.enrolDevice()
        var persons: [SubjectDevice] = []
        for number in 0..<StepUps.callersPerHash * HashLimit.threads {
            persons.append(try await store.enrolDevice(of: "person-\(number)"))
        }
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
        say("| server | a second | its CPU, µs | the load's | of hello | of no record |")
        say("|---|---|---|---|---|---|")
        for side in sides { say(side.row(beside: [hello, recordless])) }
        if isBrief {
            service.process.stop()
            return try await account(for: service)
        }

        var latencies = LatencyTable(
            "Latency, each request counted from when it was due; level 0 at \(Int(Self.calmLoad * 100)) % of each one's own full load"
        )
        for side in sides {
            latencies.add(side.name, try side.load(seconds: 10, rate: side.rate * Self.calmLoad))
        }
        Self.title("Level 0 for a device's session, a proof for each request, made beforehand: 5 rounds in turn")
        hello.forget()
        for round in 0..<5 {
            try hello.load(seconds: 1)
            try service.load(requests.signings(round * 6_000..<(round + 1) * 6_000))
        }
        let ratio = String(format: "%.2f", service.deviceRate / hello.rate)
        say(
            "\(Int(service.deviceRate)) a second, \(service.deviceCPU) µs of the server's CPU, \(ratio) of hello JSON")

        try Flood(service, hello, requests, seconds).run(&latencies)
        latencies.print()
        let stepUps = StepUps(service, port: port, persons)
        try HashLimit.compare(stepUps, rounds: 5, seconds: seconds)
        let command = URL(filePath: daemon).deletingLastPathComponent().appending(path: "countersign").path
        let bulk = try BulkProcess(
            command, niceness: niceness, statements: service.examples, keySet: keySet, in: directory)
        try BulkBeside(service, stepUps, bulk, niceness: niceness, seconds: seconds).run()
        try memory.fill()
        memory.report()
        service.process.stop()
        try await account(for: service)
        try await IdleCommit.run(in: directory)
    }

    static func title(_ text: String) { say("\n## \(text)\n") }

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
