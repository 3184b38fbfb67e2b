internal import HTTPTypes
internal import Signing
internal import SigningService

extension Service {
    /// For those who watch the process.
    static let healthRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/healthz"), name: "health", summary: "Whether the process answers",
            access: .everyone, answer: .init(status: 200, type: "text/plain")
        ) { _ in Reply(200, .bytes(Array("ok\n".utf8), type: "text/plain")) },
        Route(
            method: .get, path: PathPattern("/readyz"), name: "readiness",
            summary: "Whether it can sign: the store is readable and a key is active", access: .everyone,
            answer: .init(status: 200, type: "text/plain"), refusals: [.noActiveKey, .storeUnavailable]
        ) { call in
            let isActive = try await call.service.engine.keys().contains { $0.state == .active }
            guard isActive else { throw Refusal(.noActiveKey) }
            return Reply(200, .bytes(Array("ready\n".utf8), type: "text/plain"))
        },
        Route(
            method: .get, path: PathPattern("/metrics"), name: "metrics", summary: "Figures in Prometheus' text format",
            access: .observers, answer: .init(status: 200, type: "text/plain; version=0.0.4")
        ) { call in
            let isReader = call.address.map { call.service.mayObserve($0, call.fields) } ?? false
            guard isReader else { throw Refusal(.routeUnknown) }
            let watches = (
                "countersign_watches", "Event streams and waiting requests.", call.service.engine.changes.count
            )
            let text = call.service.metrics.text(gauges: [watches] + call.service.gauges())
            return Reply(200, .bytes(Array(text.utf8), type: "text/plain; version=0.0.4"))
        },
    ]

    /// Whether the figures are for whoever asks from this address.
    fileprivate func mayObserve(_ address: IPAddress, _ fields: HTTPFields) -> Bool {
        // What a proxy passes on is not this machine's own business, also where nobody can tell whose it is.
        let isProxy = address.isLoopback || settings.proxies.contains { $0.contains(address) }
        guard !isProxy || !Peers.isForwarded(fields) else { return false }
        return address.isLoopback || settings.metricsReaders.contains { $0.contains(address) }
    }
}
