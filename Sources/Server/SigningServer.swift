internal import HTTPTypes
internal import HummingbirdCore
internal import HummingbirdHTTP2
package import Logging
internal import NIOCore
internal import NIOPosix
package import SigningService
internal import Synchronization

/// The service on the network: API v1 over HTTP/1.1, and over HTTP/2 where there is TLS.
package final class SigningServer: Sendable {
    /// Where it listens.
    package struct Address: Sendable, Hashable {
        /// The address.
        package let host: String
        /// The port.
        package let port: Int
    }

    private typealias Run = @Sendable () async throws -> Void

    private let service: Service
    private let certificates: Certificates?
    private let serve: Run
    private let quiesce: Run
    private let loops: Loops
    private let end = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// A server.
    ///
    /// - Parameters:
    ///   - onOperatorLogIn: is told the hash of an operator's token that was used.
    ///   - onListening: is told where it listens, once it does.
    ///   - gauges: levels for the metrics that are not the server's own: name, help, value.
    /// - Throws: what is wrong with the certificate files, or `KeyError` without random bytes.
    package init(
        engine: SigningEngine, settings: ServerSettings, logger: Logger,
        now: @escaping @Sendable () -> Int64 = EngineClock.system.now,
        gauges: @escaping @Sendable () -> [(name: String, help: String, value: Int)] = { [] },
        onOperatorLogIn: @escaping @Sendable (_ tokenHash: [UInt8]) -> Void = { _ in },
        onListening: @escaping @Sendable (Address) -> Void
    ) throws {
        let origin = KnownOrigin(settings)
        let routes = Service.routes
        service = try Service(
            engine: engine, settings: settings, origin: origin,
            logger: logger, metrics: Metrics(routes: routes.map { ($0.method.rawValue, $0.path.text) }), now: now,
            gauges: gauges, onOperatorLogIn: onOperatorLogIn)
        let dispatcher = try Dispatcher(service: service, table: RouteTable(routes))
        let limits = settings.connection
        let loops = Loops(.singleton)
        self.loops = loops
        var http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionGuard(limits: limits) { dispatcher.refuse($0) },
                RequestHandler(loops) { try await dispatcher.respond($0) },
            ])
        http.httpDecoder = .init(
            maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
            maxHeaderFieldCount: limits.headerFields)
        let configuration = ServerConfiguration(
            address: .hostname(settings.host, port: settings.port), backlog: 1024,
            availableConnectionsDelegate: ConnectionCount(
                limit: settings.maxConnections, counter: service.metrics.connections))
        let shares = ConnectionShares(of: settings.maxConnections, proxies: settings.proxies)
        // The libraries' own words may hold what clients send: only their warnings are kept.
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        let listening: @Sendable (any Channel) async -> Void = { channel in
            guard let address = channel.localAddress, let port = address.port else { return }
            origin.listens(on: port)
            onListening(Address(host: settings.host, port: port))
        }
        guard let files = settings.tls else {
            certificates = nil
            let server = HummingbirdCore.Server(
                childChannelSetup: OnItsLoop(
                    base: ShareLimited(
                        base: HTTP1Channel(responder: Self.nobody, configuration: http), shares: shares),
                    loops: loops),
                configuration: configuration, onServerRunning: listening, eventLoopGroup: loops.group, logger: quiet)
            (serve, quiesce) = ({ try await server.run() }, { try await server.shutdownGracefully() })
            return
        }
        let certificates = try Certificates(files)
        self.certificates = certificates
        let tls = try HTTP2UpgradeChannel(
            tlsConfiguration: certificates.configuration(limits),
            configuration: HTTP2ChannelConfiguration(
                idleTimeout: .seconds(limits.idleSeconds), streamConfiguration: http),
            responder: Self.nobody)
        let server = HummingbirdCore.Server(
            childChannelSetup: OnItsLoop(
                base: ShareLimited(base: TLSGuarded(base: tls, limits: limits), shares: shares),
                loops: loops),
            configuration: configuration, onServerRunning: listening, eventLoopGroup: loops.group, logger: quiet)
        (serve, quiesce) = ({ try await server.run() }, { try await server.shutdownGracefully() })
    }

    /// Listens and serves, until it was stopped and what ran is done, or the time for that is over.
    package func run() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        self.end.withLock { $0 = end }
        try await withThrowingTaskGroup(of: Void.self) { [serve, loops] group in
            group.addTask { [settings = service.settings] in
                do {
                    try await serve()
                } catch let error as IOError {
                    throw ListenError(settings.host, settings.port, error)
                }
            }
            group.addTask { for await _ in ends { return } }
            group.addTask { [engine = service.engine] in await engine.watchOthers() }
            // Whichever comes first: what still runs then is cancelled.
            try await group.next()
            group.cancelAll()
            loops.cancel()
        }
        await loops.allClosed()
    }

    /// Answers what comes past `RequestHandler`: nothing does.
    private static let nobody: HTTPChannelHandler.Responder = { _, _, _ in }

    /// Takes no more requests, and lets those end that run, for a while.
    package func beginStop() {
        service.beginStop()
        service.engine.changes.stop()
        Task { [quiesce] in try? await quiesce() }
        Task { [self] in
            try? await Task.sleep(for: .seconds(service.settings.stopSeconds))
            end.withLock { _ = $0?.finish() }
        }
    }

    /// Reads the certificate files again. What does not work is logged, and changes nothing.
    package func reload() {
        guard let certificates else { return }
        do {
            try certificates.reload()
            service.logger.notice("certificate reloaded")
        } catch {
            service.logger.error(
                "certificate not reloaded: the old one stays", metadata: ["reason": "\(error)"])
        }
    }
}
