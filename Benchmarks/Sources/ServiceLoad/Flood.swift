import Foundation
import Histogram
import ServiceSubjects

/// Passwords and signing on one machine: step-ups alone, level 0 alone, and each beside a flood of wrong passwords that keeps both
/// pools of hashing threads busy.
struct Flood {
    private static let rounds = 3
    /// How often `/healthz` is asked, a second.
    private static let healthRate = 100.0
    private let service: Side
    private let requests: DeviceRequests
    private let seconds: Double

    init(_ service: Side, _ hello: Side, _ requests: DeviceRequests, _ seconds: Double) {
        self.service = service
        self.requests = requests
        self.seconds = seconds
    }

    func run(_ latencies: inout LatencyTable) throws {
        ServiceRun.title("Passwords: \(Self.rounds) rounds in turn")
        var alone: [Double] = []
        var flooded: [Double] = []
        var steps: (alone: [Double], loaded: [Double]) = ([], [])
        var wrong: [Double] = []
        var health = Histogram<UInt64>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
        for _ in 0..<Self.rounds {
            steps.alone += try stepUps(until: Load.now + UInt64(seconds * 1e9))
            alone.append(try service.load(seconds: seconds).rate)
            let flood = try begin()
            flooded.append(try service.load(seconds: seconds).rate)
            wrong.append(try flood.get().rate)
            let other = try begin()
            health.add(try healthTimes(seconds))
            _ = try other.get()
            let load = Beside { [self] in try stepUps(until: Load.now + UInt64(seconds * 1e9)) }
            try service.load(seconds: seconds)
            steps.loaded += try load.get()
        }
        func milliseconds(_ values: [Double]) -> String { String(format: "%.0f ms", Side.median(values)) }
        say(
            "a step-up by password, alone: \(milliseconds(steps.alone)); beside level 0 at full load: \(milliseconds(steps.loaded))"
        )
        say("level 0, alone: \(Int(Side.median(alone))) a second")
        let ratio = Side.median(zip(flooded, alone).map { $0 / $1 })
        say(
            "level 0 beside \(Int(Side.median(wrong))) wrong passwords a second: \(Int(Side.median(flooded))) a second, "
                + String(format: "%.2f of that", ratio))
        latencies.add("/healthz beside wrong passwords", rate: Self.healthRate, health)
    }

    /// How long `/healthz` takes, asked a hundred times a second.
    private func healthTimes(_ seconds: Double) throws -> Histogram<UInt64> {
        let request = Array("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(requests.port)\r\n\r\n".utf8)
        return try Load(port: requests.port, connections: 8, rate: Self.healthRate, seconds: seconds).run({ _ in request
        }) {
            _, answer in
            guard answer.status == 200 else { throw Fault("/healthz: \(answer.status)") }
        }.latency
    }

    /// Wrong passwords, as many as are answered: from a device of the user's, and from one that nobody knows.
    private func begin() throws -> Beside<Load.Figures> {
        let nonce = try requests.nonce()
        let known = DeviceRequests(port: requests.port, device: requests.device.loggedOut)
        let stranger = DeviceRequests(port: requests.port, device: try SubjectDevice())
        let count = Int(seconds * 200)
        let logIns = try zip(known.wrongLogIns(count, nonce: nonce), stranger.wrongLogIns(count, nonce: nonce))
            .flatMap { [$0, $1] }
        let (port, seconds) = (requests.port, seconds)
        return Beside {
            try Load(port: port, connections: 8, seconds: seconds).run({ $0 < logIns.count ? logIns[$0] : nil }) {
                _, answer in
                guard answer.status == 403 || answer.status == 503 else {
                    throw Fault("a wrong password: \(String(decoding: answer.body, as: UTF8.self))")
                }
            }
        }
    }

    private func stepUps(until end: UInt64) throws -> [Double] {
        let connection = try Connection(port: requests.port)
        let nonce = try requests.nonce()
        var times: [Double] = []
        let evidence = Evidence()
        while Load.now < end {
            let (time, answer) = try requests.stepUp(times.count, on: connection, nonce: nonce)
            evidence.keep(times.count, ArraySlice(answer.utf8))
            times.append(time)
        }
        try service.verifyStepUps(evidence)
        return times
    }
}
