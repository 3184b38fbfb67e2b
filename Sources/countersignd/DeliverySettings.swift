internal import CountersignKeys
internal import CountersignVerifier
internal import Delivery
internal import Glibc
internal import Logging
internal import Outbound
internal import SigningService

/// What the daemon carries things with: the webhook, whose address is a setting of the store, and Apple's push service.
struct DeliverySettings {
    private struct Apple {
        let settings: APNsTransport.Settings
        let key: PrivateKey
        let keyID: String
        let team: String
    }

    private let certificateAuthorities: String?
    private let apple: Apple?

    init(_ source: SettingsSource) throws(DaemonError) {
        certificateAuthorities = source[.deliveryCA]
        if let path = certificateAuthorities, unsafe access(path, R_OK) != 0 {
            throw DaemonError(.refusedInput, "delivery-ca cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        apple = try Self.apple(source)
    }

    /// The courier of a store.
    func courier(_ engine: SigningEngine, _ logger: Logger) throws -> Courier {
        let authorities = certificateAuthorities
        var transports: [any Transport] = [
            WebhookTransport(engine: engine) {
                GuardedExchange(certificateAuthorities: authorities, allowsPrivate: $0)
            }
        ]
        if let apple {
            let token = try ProviderToken(
                key: apple.key, keyID: apple.keyID, team: apple.team, now: EngineClock.system.now)
            transports.append(
                APNsTransport(
                    settings: apple.settings, token: token,
                    exchange: try PooledExchange(certificateAuthorities: authorities)
                ) { try await engine.pushChallenge(for: $0, on: $1)?.text })
        }
        return Courier(engine: engine, transports: transports, logger: logger)
    }

    private static func apple(_ source: SettingsSource) throws(DaemonError) -> Apple? {
        let names: [Setting] = [.apnsKey, .apnsKeyID, .apnsTeam, .apnsTopic]
        let values = names.compactMap { source[$0] }
        guard !values.isEmpty || source[.apnsOrigin] != nil else { return nil }
        guard values.count == names.count else {
            throw DaemonError(.refusedInput, "apns-key, apns-key-id, apns-team and apns-topic go together")
        }
        for (name, value) in zip(names, values).dropFirst() {
            guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw DaemonError(.refusedInput, "\(name.rawValue) is not a word of visible ASCII characters")
            }
        }
        var origins = (APNsTransport.Settings.production, APNsTransport.Settings.development)
        if let origin = source[.apnsOrigin] {
            guard GuardedExchange.host(of: origin) != nil, !origin.hasSuffix("/") else {
                throw DaemonError(.refusedInput, "apns-origin is not like https://push.example:8443")
            }
            origins = (origin, origin)
        }
        return Apple(
            settings: APNsTransport.Settings(topic: values[3], origins: origins), key: try key(values[0]),
            keyID: values[1], team: values[2])
    }

    private static func key(_ path: String) throws(DaemonError) -> PrivateKey {
        guard let bytes = TextFile.read(path, limit: 16_384) else {
            throw DaemonError(.refusedInput, "apns-key cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        let secret = SecretBytes(copying: bytes.span)
        do throws(KeyError) {
            let key = try secret.withBytes { (bytes) throws(KeyError) in try PrivateKey(pem: bytes) }
            guard key.algorithm == .es256 else {
                throw KeyError(.algorithmMismatch, "it is not a key for ES256")
            }
            return key
        } catch {
            throw DaemonError(.refusedInput, "apns-key cannot be used: \(error.detail)")
        }
    }
}
