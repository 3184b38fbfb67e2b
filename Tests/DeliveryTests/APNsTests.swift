import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Delivery
import Outbound
import SigningService
import Synchronization
import Testing

/// Pushes by Apple's contract.
struct APNsTests {
    @Test(
        "K16: a push has the address, the token and the fields that Apple wants, and goes where the device's app came from"
    )
    func request() async throws {
        let exchange = ScriptedExchange([.success(OutboundResponse(status: 200, headers: [("apns-id", "given")]))])
        let (transport, key) = try transport(exchange)
        #expect(try await transport.send(.push()) == .delivered(receipt: "given"))
        let device = try #require(UUIDText(Delivery.device))
        _ = try await transport.send(.push(to: .device(device, token: "ef01", isDevelopment: true)))
        let (first, second) = (exchange.requests[0], exchange.requests[1])
        #expect(first.method == "POST" && first.url == "https://api.push.apple.com/3/device/abcd")
        #expect(second.url == "https://api.sandbox.push.apple.com/3/device/ef01")
        #expect(first.header("apns-topic") == "org.example.app" && first.header("apns-push-type") == "alert")
        #expect(first.header("apns-id") == Delivery.id && first.header("apns-collapse-id") == Delivery.notification)
        #expect(first.header("apns-expiration") == "1767225900" && first.header("apns-priority") == "10")
        let body = try #require(JSON(parsing: first.body ?? [], maxBytes: 4_096).object)
        #expect(body["countersign"]?.string == "challenge of \(Delivery.notification) on \(Delivery.device)")
        #expect(body["aps"]?.object?["mutable-content"]?.integer == 1)

        let bearer = try #require(first.header("authorization"))
        #expect(bearer.hasPrefix("bearer "))
        let parts = bearer.dropFirst(7).split(separator: ".").map(String.init)
        let decoded = parts.map { Base64URL.decode(Array($0.utf8).span) }
        let header = try #require(decoded[0])
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","kid":"KEYID12345"}"#)
        let claims = try #require(decoded[1])
        #expect(String(decoding: claims, as: UTF8.self) == #"{"iss":"TEAM123456","iat":1767225600}"#)
        let signature = try #require(decoded[2])
        let input = Array("\(parts[0]).\(parts[1])".utf8)
        let isValid = key.publicKey.isValid(signature.span, for: input.span)
        #expect(isValid)
    }

    @Test(
        "What Apple answers is what becomes of the push",
        arguments: [
            (410, "Unregistered", Delivery.Outcome.tokenGone(reason: "410 Unregistered")),
            (410, "", .tokenGone(reason: "410")),
            (429, "TooManyRequests", .later(reason: "429 TooManyRequests", afterSeconds: nil)),
            (500, "InternalServerError", .later(reason: "500 InternalServerError", afterSeconds: nil)),
            (503, "Shutdown", .later(reason: "503 Shutdown", afterSeconds: nil)),
            (403, "InvalidProviderToken", .later(reason: "403 InvalidProviderToken", afterSeconds: nil)),
            (400, "BadDeviceToken", .failed(reason: "400 BadDeviceToken")),
            (413, "PayloadTooLarge", .failed(reason: "413 PayloadTooLarge")),
            (400, "<b>not a word</b>", .failed(reason: "400")),
        ])
    func outcomes(status: Int, reason: String, outcome: Delivery.Outcome) async throws {
        let exchange = ScriptedExchange((status, reason))
        #expect(try await transport(exchange).0.send(.push()) == outcome)
        #expect(exchange.requests.count == 1)
    }

    @Test("An expired provider token is made anew, once, and the push goes out with it")
    func expiredToken() async throws {
        let exchange = ScriptedExchange((403, "ExpiredProviderToken"), (200, ""))
        let (transport, _) = try transport(exchange)
        #expect(try await transport.send(.push()) == .delivered(receipt: "200"))
        #expect(exchange.requests.count == 2)
        #expect(exchange.requests[0].header("authorization") != exchange.requests[1].header("authorization"))

        let stubborn = ScriptedExchange((403, "ExpiredProviderToken"))
        let outcome = try await self.transport(stubborn).0.send(.push())
        #expect(outcome == .later(reason: "403 ExpiredProviderToken", afterSeconds: nil))
        #expect(stubborn.requests.count == 2)
    }

    @Test("A provider token serves 50 minutes: Apple takes none of more than an hour, and few new ones")
    func tokenLife() throws {
        let clock = SharedTime(1_767_225_600_000)
        let token = try ProviderToken(
            key: PrivateKey(generating: .es256), keyID: "KEYID12345", team: "TEAM123456", now: { clock.now })
        let first = try token.text()
        clock.advance(50 * 60_000 - 1)
        #expect(try token.text() == first)
        clock.advance(1)
        let second = try token.text()
        #expect(second != first)
        clock.advance(-10 * 60_000)
        #expect(try token.text() != second)
        #expect(throws: KeyError.self) {
            try ProviderToken(key: PrivateKey(generating: .edDSA), keyID: "K", team: "T", now: { 0 })
        }
    }

    @Test("No answer is tried again; a device without a token, and one that knows already, is left alone")
    func withoutAnswer() async throws {
        let silent = ScriptedExchange([])
        #expect(try await transport(silent).0.send(.push()) == .later(reason: "no connection", afterSeconds: nil))
        let unused = ScriptedExchange((200, ""))
        let gone = try await transport(unused).0.send(.push(to: .gone))
        #expect(gone == .failed(reason: "the device takes no pushes any more"))
        let known = try await transport(unused, challenge: nil).0.send(.push())
        #expect(known == .failed(reason: "there is nothing to tell any more"))
        #expect(unused.requests.isEmpty)
    }

    private func transport(
        _ exchange: ScriptedExchange, challenge: String? = "challenge of"
    ) throws -> (APNsTransport, PrivateKey) {
        let key = try PrivateKey(generating: .es256)
        let clock = SharedTime(1_767_225_600_000)
        let token = try ProviderToken(key: key, keyID: "KEYID12345", team: "TEAM123456", now: { clock.now })
        let transport = APNsTransport(
            settings: APNsTransport.Settings(topic: "org.example.app"), token: token, exchange: exchange
        ) { notification, device in challenge.map { "\($0) \(notification.text) on \(device.text)" } }
        return (transport, key)
    }
}

/// A time that the test sets.
final class SharedTime: Sendable {
    private let time: Mutex<Int64>
    init(_ time: Int64) { self.time = Mutex(time) }
    var now: Int64 { time.withLock { $0 } }
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
