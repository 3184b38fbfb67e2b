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
            let isReader =
                call.address.map { address in
                    address.isLoopback || call.service.settings.metricsReaders.contains { $0.contains(address) }
                } ?? false
            guard isReader else { throw Refusal(.routeUnknown) }
            let text = call.service.metrics.text(gauges: call.service.gauges())
            return Reply(200, .bytes(Array(text.utf8), type: "text/plain; version=0.0.4"))
        },
    ]
}
