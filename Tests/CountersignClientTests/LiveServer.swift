import CountersignClient
import CountersignKeys
import CountersignVerifier
import Foundation
import Logging
import Outbound
import Passwords
import Server
import Sessions
import SigningService
import StorageSQLite
import Synchronization
import Testing

/// The real service on a loopback port, with a store of its own. Clients know it as `https://sign.example`.
struct LiveServer: Sendable {
    static let origin = "https://sign.example"

    let engine: SigningEngine
    let port: Int
    let profiles: TemporaryProfiles

    /// Runs a test against a service that ends with it.
    static func run(_ body: @escaping @Sendable (LiveServer) async throws -> Void) async throws {
        let profiles = try TemporaryProfiles()
        let path = profiles.root.appending(path: "store").path(percentEncoded: false)
        let hasher = PasswordHasher(threads: 2, queueLimit: 64)
        try await StoreDirectory.create(at: path) { draft in
            try await SQLiteDatabase.create(at: draft.databasePath, time: EngineClock.system.now())
            let engine = try await Self.open(draft, hasher)
            try await engine.setUp(StoreSetUp(issuer: origin))
            await engine.close()
        }
        let engine = try await open(StoreDirectory(existing: path), hasher)
        _ = try await engine.set(.passwordHash, to: "m=64,t=1,p=1")
        try await serve(engine) { try await body(LiveServer(engine: engine, port: $0, profiles: profiles)) }
        await engine.close()
    }

    /// A server over an engine, as long as the closure runs. Another one later is what a restart is for clients.
    static func serve(
        _ engine: SigningEngine, _ given: ServerSettings? = nil, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        var settings = given ?? ServerSettings()
        (settings.port, settings.origin, settings.stopSeconds) = (0, origin, 1)
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let server = try SigningServer(
            engine: engine, settings: settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            onListening: { listening.yield($0.port) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { listening.finish() }
                try await server.run()
            }
            group.addTask {
                defer { server.beginStop() }
                var iterator = ports.makeAsyncIterator()
                try await body(#require(await iterator.next()))
            }
            try await group.waitForAll()
        }
    }

    private static func open(_ directory: StoreDirectory, _ hasher: PasswordHasher) async throws -> SigningEngine {
        try await SigningEngine.open(
            directory,
            database: SQLiteDatabase.open(at: directory.databasePath, time: EngineClock.system.now()), hasher: hasher)
    }

    /// The way to this server.
    func exchange(at port: Int? = nil) throws -> Redirected {
        Redirected(try PooledExchange(), to: "http://127.0.0.1:\(port ?? self.port)")
    }

    /// An account of a profile, which is made if it is not there.
    func account(
        _ name: String, _ exchange: (any HTTPExchange)? = nil, aheadBy milliseconds: Int64 = 0
    ) throws -> Account {
        let isThere = try profiles.directory.names().contains(name)
        let profile =
            isThere ? try profiles.directory.profile(name) : try profiles.directory.create(name, server: Self.origin)
        let surroundings = Surroundings(
            exchange: try exchange ?? self.exchange(), now: { EngineClock.system.now() + milliseconds },
            sleep: { try await Task.sleep(for: $0) }, chance: { 0 })
        return try Account(profile, passcode: nil, options: ServiceOptions(), surroundings: surroundings)
    }

    /// The operator, logged in.
    func operatorAccount() async throws -> Account {
        let account = try account("operator")
        try await account.logIn(operatorToken: Secret(engine.makeOperatorToken().text))
        return account
    }

    /// A person, enrolled.
    func person(_ name: String, _ exchange: (any HTTPExchange)? = nil) async throws -> Account {
        let user = try SigningEngine.userName(name)
        try await engine.addUser(user, password: nil)
        let code = try await engine.makeActivationCode(for: user)
        let account = try account(name, exchange)
        try await account.enrol(
            user: name, activationCode: code.code.text.lowercased(), password: Secret("correct horse"),
            deviceName: "Laptop of \(name)")
        return account
    }

    func service() throws -> CountersignService {
        let exchange = try exchange()
        return try CountersignService(
            Self.origin, options: ServiceOptions(),
            surroundings: Surroundings(
                exchange: exchange, now: EngineClock.system.now, sleep: { try await Task.sleep(for: $0) },
                chance: { 0 }))
    }

    func relying(
        _ name: String, _ credential: RelyingService.Credential, isBound: Bool, _ exchange: (any HTTPExchange)? = nil
    ) throws -> RelyingService {
        let exchange = try exchange ?? self.exchange()
        return try RelyingService(
            name, credential, at: Self.origin, isBound: isBound, options: ServiceOptions(),
            surroundings: Surroundings(
                exchange: exchange, now: EngineClock.system.now, sleep: { try await Task.sleep(for: $0) },
                chance: { 0 }))
    }
}

/// The way to a server under another name. It may lose answers that came.
final class Redirected: HTTPExchange {
    private let inner: PooledExchange
    private let target: Mutex<String>
    private let lost = Mutex<String?>(nil)

    init(_ inner: PooledExchange, to target: String) {
        self.inner = inner
        self.target = Mutex(target)
    }

    /// The next answer to a path that ends so is lost.
    func lose(_ suffix: String) { lost.withLock { $0 = suffix } }
    func redirect(to port: Int) { target.withLock { $0 = "http://127.0.0.1:\(port)" } }

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        var request = request
        request.url = target.withLock { $0 } + request.url.dropFirst(LiveServer.origin.count)
        let response = try await inner.send(request)
        let isLost = lost.withLock { lost in
            guard let suffix = lost, request.url.hasSuffix(suffix), response.status != 401 else { return false }
            lost = nil
            return true
        }
        if isLost { throw OutboundError(.connectionLost, "the connection was lost") }
        return response
    }
}
