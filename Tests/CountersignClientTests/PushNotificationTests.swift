import CountersignClient
import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import SigningService
import Synchronization
import Testing

@Suite("What a push brings, with the real service")
struct PushNotificationTests {
    @Test("K22, K24, K26: a question is a challenge to each enrolled device; a foreign push is none of ours")
    func parse() async throws {
        try await LiveServer.run { live in
            let (alice, bob) = (try await live.phone("alice"), try await live.phone("bob"))
            let asked = try await live.ask("alice")
            let text = try #require(try await live.challenges(of: alice).first)
            let parsed = try #require(try await alice.authenticator.parsePushNotification(text))
            #expect(parsed.notificationID == asked && parsed.enrollment.id == "alice" && parsed.matter == "message")
            #expect(parsed.userResponse == .userNotResponded && parsed.issuedAt < parsed.expiresAt)
            let message = Array("{\"aps\":{},\"countersign\":\"\(String(decoding: text, as: UTF8.self))\"}".utf8)
            #expect(try await bob.authenticator.parsePushNotification(message)?.notificationID == asked)
            for foreign in ["", "hello", "{\"aps\":{\"alert\":\"News\"}}", "a.b.c", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"] {
                #expect(try await alice.authenticator.parsePushNotification(Array(foreign.utf8)) == nil, "\(foreign)")
            }
            try alice.enrollment.deleteFromDevice()
            #expect(try await alice.authenticator.parsePushNotification(text) == nil, "nobody here is enrolled for it")
        }
    }

    @Test(
        "O39, O40, K26: an expired challenge is an error, the skew counts on both sides, and is 300 s unless it is said"
    )
    func skew() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            try await live.ask()
            let text = try #require(try await live.challenges(of: phone).first)
            // It lives for 600 s.
            let made = EngineClock.system.now()
            let rows: [(ahead: Int64, skew: Int?, isGood: Bool, isExpired: Bool)] = [
                (0, nil, true, false), (0, 0, true, false), (800, nil, true, false), (1_000, nil, false, true),
                (1_000, 3_600, true, false), (700, 0, false, true), (-200, nil, true, false), (-400, nil, false, false),
                (-400, 3_600, true, false), (-200, 0, false, false), (700, -5, false, true),
            ]
            for row in rows {
                let app = try live.app(now: { made + row.ahead * 1000 })
                do {
                    let challenge =
                        if let skew = row.skew {
                            try await app.parsePushNotification(text, allowedClockSkewInSeconds: skew)
                        } else {
                            try await app.parsePushNotification(text)
                        }
                    #expect(challenge != nil && row.isGood, "\(row)")
                } catch let error as DeviceAuthenticatorError {
                    switch error {
                    case .challengeExpired: #expect(!row.isGood && row.isExpired, "\(row)")
                    case .challengeEarly: #expect(!row.isGood && !row.isExpired, "\(row)")
                    default: Issue.record("\(row): \(error)")
                    }
                }
            }
        }
    }

    @Test(
        "K24: one that is addressed to us and is not the service's is an error, however old; its keys are fetched once")
    func forged() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            try await live.ask()
            let text = try #require(try await live.challenges(of: phone).first)
            let real = try #require(try UnverifiedPushChallenge.read(text)).claims
            let thief = try PrivateKey(generating: .es256)
            for (issuer, until) in [
                (real.issuer, real.expiresAt), (real.issuer, 2), ("https://other.example", real.expiresAt),
            ] {
                let claims = try #require(
                    PushClaims(
                        issuer: issuer, device: real.device, issuedAt: 1, expiresAt: until, id: real.id,
                        notification: real.notification, matter: "message"))
                let forged = try claims.signed(by: thief, keyID: Thumbprint.sha256(of: thief.publicKey))
                let error = await fault { _ = try await phone.authenticator.parsePushNotification(Array(forged.utf8)) }
                guard case .challengeUntrusted? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            let broken = await fault { _ = try await phone.authenticator.parsePushNotification(text + [0x2E]) }
            guard case .challengeMalformed? = broken else {
                Issue.record("\(String(describing: broken))")
                return
            }
            #expect(try await phone.authenticator.parsePushNotification(text) != nil)
        }
    }

    @Test(
        "K6, K24: after a new key its challenges are good at once; for forged keys the service is asked every ten seconds"
    )
    func rotation() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let time = Mutex(EngineClock.system.now())
            let fetches = Fetches()
            let exchange = CountedExchange(try live.exchange(), of: "/.well-known/jwks.json") { fetches.add() }
            let app = try live.app(exchange, now: { time.withLock { $0 } })
            try await live.ask()
            let before = try #require(try await live.challenges(of: phone).first)
            #expect(try await app.parsePushNotification(before) != nil)
            _ = try await live.engine.rotateKeys(to: nil, algorithm: .edDSA)
            let after = try #require(try await live.challenges(of: phone).first)
            #expect(try await app.parsePushNotification(after) != nil, "at once")
            #expect(try await app.parsePushNotification(before) != nil, "what was signed before holds")
            #expect(fetches.count == 2)
            let real = try #require(try UnverifiedPushChallenge.read(after)).claims
            for (waits, fetched) in [(0, 2), (9_999, 2), (1, 3), (0, 3), (-1, 4), (10_000, 5)] as [(Int64, Int)] {
                time.withLock { $0 += waits }
                let thief = try PrivateKey(generating: .es256)
                let forged = try real.signed(by: thief, keyID: Thumbprint.sha256(of: thief.publicKey))
                let error = await fault { _ = try await app.parsePushNotification(Array(forged.utf8)) }
                guard case .challengeUntrusted? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(fetches.count == fetched, "after \(waits) ms")
            }
            // A key that is known is not asked for, whoever uses its name.
            time.withLock { $0 += 10_000 }
            let name = try #require(try await live.engine.keys().first { $0.state == .active }).id
            let stolen = try real.signed(by: PrivateKey(generating: .edDSA), keyID: name)
            let error = await fault { _ = try await app.parsePushNotification(Array(stolen.utf8)) }
            guard case .challengeUntrusted? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(fetches.count == 5 && real.issuer == LiveServer.origin)
        }
    }

    @Test("K6: keys that cannot be had just then are asked for again")
    func unreachable() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            let exchange = try live.exchange()
            let app = try live.app(exchange)
            try await live.ask()
            let before = try #require(try await live.challenges(of: phone).first)
            #expect(try await app.parsePushNotification(before) != nil)
            _ = try await live.engine.rotateKeys(to: nil, algorithm: .edDSA)
            let after = try #require(try await live.challenges(of: phone).first)
            exchange.redirect(to: 1)
            let error = await fault { _ = try await app.parsePushNotification(after) }
            guard case .service? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            exchange.redirect(to: live.port)
            #expect(try await app.parsePushNotification(after) != nil)
        }
    }

    @Test("K23, K25, K34: quick actions have titles and identifiers; what was chosen comes with the challenge")
    func quickActions() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone {
                $0.approveActionTitle = "Yes"
                $0.denyActionTitle = "No"
                $0.userVerificationActionTitle = "Yes, with my password"
            }
            let actions = phone.authenticator.applicationConfig.quickActions
            #expect(actions.map(\.title) == ["Yes", "No", "Yes, with my password"])
            #expect(Set(actions.map(\.identifier)).count == 3)
            #expect(ApplicationConfig(profiles: live.profiles.directory).quickActions.isEmpty)
            try await live.ask()
            let text = try #require(try await live.challenges(of: phone).first)
            let identifiers: [String?] = actions.map(\.identifier) + [nil, "com.example.default", ""]
            var found: [PushChallenge.UserResponse] = []
            for identifier in identifiers {
                let response = PushNotificationResponse(push: text, actionIdentifier: identifier)
                let parsed = try await phone.authenticator.parsePushNotificationResponse(response)
                found.append(try #require(parsed).userResponse)
            }
            #expect(
                found == [
                    .userApproved, .userDenied, .userApproved, .userNotResponded, .userNotResponded, .userNotResponded,
                ])
            let foreign = PushNotificationResponse(push: Array("x".utf8), actionIdentifier: actions[0].identifier)
            #expect(try await phone.authenticator.parsePushNotificationResponse(foreign) == nil)
        }
    }
}

/// How often something was fetched.
private final class Fetches: Sendable {
    private let all = Mutex(0)
    var count: Int { all.withLock { $0 } }
    func add() { all.withLock { $0 += 1 } }
}
