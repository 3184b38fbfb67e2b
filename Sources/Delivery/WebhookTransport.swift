package import Outbound
package import SigningService

/// Events to the operator's webhook: a signed text for each (`docs/delivery.md`).
package struct WebhookTransport: Transport {
    package let name = Delivery.Transport.webhook
    private let engine: SigningEngine
    private let exchange: @Sendable (_ mayBePrivate: Bool) -> any HTTPExchange

    /// - Parameter exchange: what is sent over, where addresses of private networks may be, and where not.
    package init(engine: SigningEngine, exchange: @escaping @Sendable (_ mayBePrivate: Bool) -> any HTTPExchange) {
        self.engine = engine
        self.exchange = exchange
    }

    package func send(_ delivery: Delivery) async -> Delivery.Outcome {
        guard case .webhook(let url, let mayBePrivate) = delivery.address else {
            return .failed(reason: "there is no webhook any more")
        }
        let text: [UInt8]
        do { text = try await engine.signedEvent(delivery, to: url) } catch {
            return .later(reason: "it could not be signed", afterSeconds: nil)
        }
        var request = OutboundRequest("POST", url, body: text, timeout: .seconds(20), maxBytes: 16_384)
        request.headers = [("Content-Type", "application/jwt"), ("User-Agent", "countersign")]
        do {
            return Self.outcome(of: try await exchange(mayBePrivate).send(request))
        } catch {
            return .later(reason: error.detail, afterSeconds: nil)
        }
    }

    /// What an answer means. A receiver that is broken, or set up wrongly, may be repaired within the day.
    static func outcome(of response: OutboundResponse) -> Delivery.Outcome {
        switch response.status {
        case 200...299: .delivered(receipt: "\(response.status)")
        // Whoever wants it elsewhere says so in the settings: where a redirect leads nobody has looked at.
        case 300...399: .later(reason: "\(response.status): redirects are not followed", afterSeconds: nil)
        case 410: .failed(reason: "410")
        default: .later(reason: "\(response.status)", afterSeconds: response.retryAfter)
        }
    }
}

extension OutboundResponse {
    /// The seconds of `Retry-After`, where it has them.
    var retryAfter: Int64? { header("retry-after").flatMap { Int64($0) }.map { max(0, $0) } }
}
