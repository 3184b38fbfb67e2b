internal import Delivery
internal import Glibc
internal import Logging
internal import Server
internal import SigningService
internal import UnixSignals

/// The running service.
enum Daemon {
    static func run(_ settings: DaemonSettings, _ environment: [String: String]) async throws {
        let sink = LogSink(2)
        let logger = Logger(label: "countersignd") { _ in
            JSONLogHandler(level: settings.logLevel, sink: sink, now: EngineClock.system.now)
        }
        defer { sink.flush() }
        // Before anything is made.
        try settings.server.tls?.check()
        let store = try await OpenStore(settings)
        if store.isNew {
            try await OperatorToken.write(store.engine, settings.data)
            Process.say("countersignd: made a store; the operator's token is in \(OperatorToken.path(settings.data))")
        }
        let server = try SigningServer(
            engine: store.engine, settings: settings.server, logger: logger,
            gauges: { store.gauges },
            onOperatorLogIn: { OperatorToken.remove(settings.data, usedHash: $0) }
        ) { address in
            let host = address.host.contains(":") ? "[\(address.host)]" : address.host
            Process.say("listening on \(settings.server.tls == nil ? "http" : "https")://\(host):\(address.port)")
            Process.notify("READY=1", environment)
        }
        let courier = try settings.delivery.courier(store.engine, logger)
        let carrying = Task { await courier.run() }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let watch = Task { await follow(signals, server, settings.server.stopSeconds, environment) }
        defer { watch.cancel() }
        var fault: (any Error)?
        do { try await server.run() } catch { fault = error }
        // What is being carried goes out once more when the daemon starts again.
        carrying.cancel()
        await carrying.value
        await store.engine.close()
        if let fault { throw fault }
        logger.info("stopped")
    }

    /// The first signal stops gracefully, the second at once; SIGHUP reads the certificate again.
    private static func follow(
        _ signals: UnixSignalsSequence, _ server: SigningServer, _ seconds: Int, _ environment: [String: String]
    ) async {
        var isStopping = false
        for await signal in signals {
            if signal == .sighup {
                server.reload()
                continue
            }
            if isStopping { _exit(DaemonError.Status.done.rawValue) }
            isStopping = true
            Process.notify("STOPPING=1", environment)
            server.beginStop()
            // What cannot be cancelled either ends with the process.
            Task {
                try? await Task.sleep(for: .seconds(seconds + 5))
                _exit(DaemonError.Status.unavailable.rawValue)
            }
        }
    }
}
