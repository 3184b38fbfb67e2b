internal import Glibc
internal import Signing
internal import Synchronization

/// The figures of the service, as Prometheus reads them.
final class Metrics: Sendable {
    /// The figures of one route.
    final class RouteFigures: Sendable {
        let time = Histogram()
        private let statuses: [Int: Counter]

        init() { statuses = Dictionary(uniqueKeysWithValues: Metrics.statuses.map { ($0, Counter()) }) }

        func record(status: Int, microseconds: Int64) {
            (statuses[status] ?? statuses[500])?.add()
            time.record(microseconds: microseconds)
        }

        var counts: [(status: Int, count: Int)] {
            statuses.map { ($0.key, $0.value.value) }.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
        }
    }

    static let statuses = [
        200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 429, 431, 500, 503,
    ]

    let inFlight = Counter()
    let connections = Counter()
    /// Answers that ended before they were whole.
    let broken = Counter()
    private let routes: [RouteFigures]
    private let names: [String]
    private let signings = Mutex<[Signing: Int]>([:])

    private struct Signing: Hashable {
        let level: Int
        let result: String
    }

    /// - Parameter routes: method and pattern of each route; what matches none is counted as the last one.
    init(routes: [(method: String, path: String)]) {
        names = routes.map { "method=\"\($0.method)\",route=\"\($0.path)\"" } + ["method=\"\",route=\"\""]
        self.routes = names.map { _ in RouteFigures() }
    }

    /// The figures of a route; nil stands for what matched none.
    func figures(of route: Int?) -> RouteFigures { routes[route ?? routes.count - 1] }

    /// Counts the end of a signing, or of a try.
    func signing(level: Int, result: String) {
        signings.withLock { $0[Signing(level: level, result: result), default: 0] += 1 }
    }

    /// The text format of Prometheus, version 0.0.4.
    ///
    /// - Parameter gauges: more levels, of the engine: name, help, value.
    func text(gauges: [(name: String, help: String, value: Int)]) -> String {
        var text = ""
        func head(_ name: String, _ type: String, _ help: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        }
        head("countersign_requests_total", "counter", "Requests that were answered.")
        for (name, route) in zip(names, routes) {
            for (status, count) in route.counts {
                text += "countersign_requests_total{\(name),status=\"\(status)\"} \(count)\n"
            }
        }
        head("countersign_request_seconds", "histogram", "From the end of a request's header to the end of its answer.")
        for (name, route) in zip(names, routes) where !route.counts.isEmpty {
            route.time.write(name: "countersign_request_seconds", labels: name, to: &text)
        }
        head("countersign_signings_total", "counter", "Signings by their level and how they ended.")
        let ended = signings.withLock { Array($0) }
        for (key, count) in ended.sorted(by: { ($0.key.level, $0.key.result) < ($1.key.level, $1.key.result) }) {
            text += "countersign_signings_total{level=\"\(key.level)\",result=\"\(key.result)\"} \(count)\n"
        }
        let own = [
            ("countersign_requests_in_flight", "Requests that are being answered.", inFlight.value),
            ("countersign_connections", "Connections that are open.", connections.value),
            (
                "countersign_broken_answers_total", "Answers that ended before they were whole, by whosever fault.",
                broken.value
            ),
            ("process_resident_memory_bytes", "Memory in use.", Self.residentBytes()),
        ]
        for (name, help, value) in own + gauges {
            head(name, name.hasSuffix("_total") ? "counter" : "gauge", help)
            text += "\(name) \(value)\n"
        }
        return text
    }

    /// The second number of `/proc/self/statm`, in pages.
    private static func residentBytes() -> Int {
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard count > 0 else { return 0 }
        let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
