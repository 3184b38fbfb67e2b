import CountersignKeys
import CountersignVerifier
import Foundation
import Logging
import NIOPosix
import Passwords
import Server
import Sessions
import Signing
import SigningService
import Storage
import StorageSQLite
import Synchronization
import Testing

/// A server on a free port, over a store in a folder of its own. Its log is kept.
final class TestServer: Sendable {
    static let origin = "http://sign.test"
    static let password = "correct horse battery"
    let engine: SigningEngine
    let server: SigningServer
    let port: Int
    let log: LogLines
    let clock: TestClock
    private let path: String

    private init(
        engine: SigningEngine, server: SigningServer, port: Int, log: LogLines, clock: TestClock, path: String
    ) {
        self.path = path
        self.engine = engine
        self.server = server
        self.port = port
        self.log = log
        self.clock = clock
    }

    /// Lets a server run as long as the closure does.
    ///
    /// - Parameter wrap: what stands between the engine and its database.
    static func run(
        _ change: (inout ServerSettings) -> Void = { _ in },
        wrapping wrap: (any SQLDatabase) -> any SQLDatabase = { $0 },
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let path = NSTemporaryDirectory() + "countersign-server-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let hasher = PasswordHasher(threads: 1, queueLimit: 16)
        let clock = TestClock()
        try await StoreDirectory.create(at: path) { draft in
            try await SQLiteDatabase.create(at: draft.databasePath, time: clock.now())
            let engine = try await open(draft, hasher, clock)
            try await engine.setUp(StoreSetUp(issuer: "https://issuer.example"))
            _ = try await engine.signHistory()
            await engine.close()
        }
        let engine = try await open(StoreDirectory(existing: path), hasher, clock, wrap)
        _ = try await engine.set(.passwordHash, to: "m=64,t=1,p=1")
        _ = try await engine.set(.allowLevelZero, to: "true")
        var settings = ServerSettings()
        (settings.port, settings.origin, settings.stopSeconds) = (0, origin, 5)
        (settings.attemptsPerMinute, settings.requestsPerMinute) = (0, 0)
        // No test depends on how busy the machine is.
        (settings.connection.headSeconds, settings.connection.bodySeconds) = (300, 300)
        (settings.connection.idleSeconds, settings.connection.writeSeconds) = (300, 300)
        change(&settings)
        let log = LogLines()
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let server = try SigningServer(
            engine: engine, settings: settings, logger: Logger(label: "test") { _ in LogKeeper(lines: log) },
            now: clock.now, onListening: { listening.yield($0.port) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { listening.finish() }
                try await server.run()
            }
            group.addTask {
                defer { server.beginStop() }
                var iterator = ports.makeAsyncIterator()
                let port = try #require(await iterator.next())
                try await body(
                    TestServer(engine: engine, server: server, port: port, log: log, clock: clock, path: path))
            }
            try await group.waitForAll()
        }
        await engine.close()
    }

    private static func open(
        _ directory: StoreDirectory, _ hasher: PasswordHasher, _ clock: TestClock,
        _ wrap: (any SQLDatabase) -> any SQLDatabase = { $0 }
    ) async throws -> SigningEngine {
        try await SigningEngine.open(
            directory, database: wrap(SQLiteDatabase.open(at: directory.databasePath, time: clock.now())),
            hasher: hasher,
            clock: EngineClock(now: clock.now, sleep: EngineClock.system.sleep))
    }

    /// Changes the store behind the engine.
    func change(_ body: @escaping @Sendable (any SQLConnection) throws -> Void) async throws {
        let database = try await SQLiteDatabase.open(at: path + "/store.sqlite", time: clock.now())
        try await database.write { try body($0) }
        await database.close()
    }

    /// One request on a connection of its own.
    func send(_ request: String, untilClosed: Bool = false) async throws -> Answer {
        try await Wire.send(request, to: port, untilClosed: untilClosed)
    }

    /// A request of this method, with a body of JSON where one is given.
    func ask(
        _ method: String, _ path: String, _ fields: [String] = [], body: String? = nil,
        type: String = "application/json"
    ) async throws -> Answer {
        var request = "\(method) \(path) HTTP/1.1\r\nHost: elsewhere.test\r\n"
        if let body { request += "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n" }
        request += fields.map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? "")
        return try await send(request)
    }
}

/// The machine's clock, which a test may set or stop.
final class TestClock: Sendable {
    private let offset = Atomic<Int64>(0)
    /// When it was stopped; 0: it runs.
    private let stopped = Atomic<Int64>(0)

    /// Stops it, for whatever depends on how much time goes by.
    func stop() { stopped.store(EngineClock.system.now(), ordering: .sequentiallyConsistent) }

    /// Sets it, so many milliseconds off the machine's.
    func set(_ offset: Int64) { self.offset.store(offset, ordering: .sequentiallyConsistent) }

    @Sendable func now() -> Int64 {
        let stopped = stopped.load(ordering: .sequentiallyConsistent)
        return (stopped == 0 ? EngineClock.system.now() : stopped) + offset.load(ordering: .sequentiallyConsistent)
    }
}

/// The events that a server logged.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

struct LogKeeper: LogHandler {
    let lines: LogLines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
        lines.add(
            "\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:]) \(event.error.map { "\($0)" } ?? "")")
    }
}
