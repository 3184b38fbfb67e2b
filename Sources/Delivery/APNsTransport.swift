internal import CountersignJOSE
package import CountersignVerifier
package import Outbound
package import SigningService

/// Pushes over Apple's push notification service: HTTP/2, a provider token, a push challenge for the device (`docs/push.md`).
package struct APNsTransport: Transport {
    /// Where Apple's services are, and for which app.
    package struct Settings: Sendable {
        /// Apple's own.
        package static let production = "https://api.push.apple.com"
        /// Apple's own, for apps that are being made.
        package static let development = "https://api.sandbox.push.apple.com"

        /// The app's bundle id.
        package let topic: String
        /// Scheme, host and port for devices of either kind.
        package let origins: (production: String, development: String)

        /// Settings.
        package init(
            topic: String, origins: (production: String, development: String) = (production, development)
        ) {
            self.topic = topic
            self.origins = origins
        }
    }

    package let name = Delivery.Transport.apns
    private let settings: Settings
    private let token: ProviderToken
    private let exchange: any HTTPExchange
    private let challenge: @Sendable (_ notification: UUIDText, _ device: UUIDText) async throws -> String?

    /// - Parameter challenge: the push challenge for a notification on a device; nil where there is nothing to tell it any more.
    package init(
        settings: Settings, token: ProviderToken, exchange: any HTTPExchange,
        challenge: @escaping @Sendable (_ notification: UUIDText, _ device: UUIDText) async throws -> String?
    ) {
        self.settings = settings
        self.token = token
        self.exchange = exchange
        self.challenge = challenge
    }

    package func send(_ delivery: Delivery) async -> Delivery.Outcome {
        guard case .device(let device, let address, let isDevelopment) = delivery.address else {
            return .failed(reason: "the device takes no pushes any more")
        }
        guard let notification = delivery.notification else { return .failed(reason: "there is nothing to tell") }
        let text: String
        do {
            guard let made = try await challenge(notification, device) else {
                return .failed(reason: "there is nothing to tell any more")
            }
            text = made
        } catch {
            return .later(reason: "it could not be signed", afterSeconds: nil)
        }
        let origin = isDevelopment ? settings.origins.development : settings.origins.production
        var request = OutboundRequest(
            "POST", "\(origin)/3/device/\(address)", body: Self.body(text), timeout: .seconds(20), maxBytes: 16_384)
        // Once more where the provider token has expired by Apple's clock: the device's push need not wait for that.
        for isSecond in [false, true] {
            guard let bearer = try? token.text() else {
                return .later(reason: "no provider token could be signed", afterSeconds: nil)
            }
            request.headers = headers(delivery, notification, bearer)
            do {
                let response = try await exchange.send(request)
                let reason = Self.reason(response)
                if response.status == 403, reason == "ExpiredProviderToken" {
                    token.expire(bearer)
                    guard isSecond else { continue }
                }
                return Self.outcome(of: response, reason)
            } catch {
                return .later(reason: error.detail, afterSeconds: nil)
            }
        }
        return .later(reason: "403 ExpiredProviderToken", afterSeconds: nil)
    }

    /// What an answer means: Apple's "Handling notification responses from APNs".
    static func outcome(of response: OutboundResponse, _ reason: String) -> Delivery.Outcome {
        let said = reason.isEmpty ? "\(response.status)" : "\(response.status) \(reason)"
        switch (response.status, reason) {
        case (200, _): return .delivered(receipt: response.header("apns-id") ?? said)
        case (410, _): return .tokenGone(reason: said)
        // The operator's own settings: they may be put right in time.
        case (403, _), (400, "TopicDisallowed"), (400, "BadTopic"), (400, "MissingTopic"), (429, _), (500..., _):
            return .later(reason: said, afterSeconds: response.retryAfter)
        default: return .failed(reason: said)
        }
    }

    private func headers(
        _ delivery: Delivery, _ notification: UUIDText, _ bearer: String
    ) -> [(name: String, value: String)] {
        [
            ("authorization", "bearer \(bearer)"), ("apns-topic", settings.topic), ("apns-push-type", "alert"),
            ("apns-priority", "10"), ("apns-id", delivery.id.text), ("apns-collapse-id", notification.text),
            ("apns-expiration", String(delivery.expiresAt / 1000)),
        ]
    }

    /// What Apple sees: that something waits, and a challenge that only says for which device and notification.
    private static func body(_ challenge: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        writer.name("aps")
        writer.beginObject()
        writer.name("alert")
        writer.beginObject()
        writer.member(name: "loc-key", string: "COUNTERSIGN_WAITS")
        writer.endObject()
        writer.member(name: "category", string: "COUNTERSIGN")
        writer.member(name: "mutable-content", integer: 1)
        writer.endObject()
        writer.member(name: "countersign", string: challenge)
        writer.endObject()
        return writer.bytes
    }

    /// Apple's word for why; empty where it is none.
    private static func reason(_ response: OutboundResponse) -> String {
        guard let text = try? JSON(parsing: response.body, maxBytes: 16_384).object?["reason"]?.string,
            (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
        else { return "" }
        return text
    }
}
