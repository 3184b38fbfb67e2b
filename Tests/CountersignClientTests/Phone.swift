import CountersignClient
import CountersignKeys
import Foundation
import Notifications
import Outbound
import SigningService
import Synchronization
import Testing

/// A person's device with an app that receives push challenges, at the real service.
struct Phone: Sendable {
    static let pushToken: [UInt8] = [0xA1, 0xB2, 0xC3]

    let account: Account
    let authenticator: DeviceAuthenticator
    let enrollment: AuthenticatorEnrollment

    var token: AuthToken { get async throws { .bearer(try await account.accessToken()) } }
}

extension LiveServer {
    /// An app over the profiles of this test.
    ///
    /// - Parameters:
    ///   - exchange: its way to the service.
    ///   - now: its clock, milliseconds since 1970.
    func app(
        _ exchange: (any HTTPExchange)? = nil, now: @escaping @Sendable () -> Int64 = { EngineClock.system.now() },
        _ change: (inout ApplicationConfig) -> Void = { _ in }
    ) throws -> DeviceAuthenticator {
        var config = ApplicationConfig(profiles: profiles.directory)
        change(&config)
        let surroundings = Surroundings(
            exchange: try exchange ?? self.exchange(), now: now,
            sleep: { try await Task.sleep(for: $0) }, chance: { 0 })
        return DeviceAuthenticator(config) { _ in surroundings }
    }

    /// A person whose device is enrolled for push challenges.
    func phone(
        _ name: String = "alice", _ change: (inout ApplicationConfig) -> Void = { _ in }
    ) async throws -> Phone {
        let account = try await person(name)
        let authenticator = try app(nil, change)
        let enrollment = try await authenticator.enroll(
            authenticationToken: .bearer(account.accessToken()),
            authenticatorConfig: AuthenticatorConfig(orgURL: Self.origin, oidcClientId: name),
            enrollmentParameters: EnrollmentParameters(deviceToken: Phone.pushToken))
        return Phone(account: account, authenticator: authenticator, enrollment: enrollment)
    }

    /// Asks somebody to approve something.
    @discardableResult
    func ask(_ name: String = "alice", level: Int = 0, actions: [String] = ["Accept", "Reject"]) async throws -> String
    {
        let body = CountersignClient.NotificationRecord.Body(
            language: "en", subject: "Log-in", message: "Is it you?",
            labels: Dictionary(uniqueKeysWithValues: actions.map { ($0, "To \($0.lowercased())") }))
        let draft = NewNotification(
            for: name, body,
            actions: actions.map { .init($0, level: $0 == "Accept" ? level : 0) }, expiresIn: 600)
        return try await Self.root(of: self).notify(draft).id
    }

    private static func root(of live: LiveServer) async throws -> Operator {
        let isThere = try live.profiles.directory.names().contains("operator")
        return try await isThere ? live.account("operator").operator : live.operatorAccount().operator
    }
}

/// A way to the service on which requests of one path are counted.
struct CountedExchange: HTTPExchange {
    private let inner: any HTTPExchange
    private let path: String
    private let count: @Sendable () -> Void

    init(_ inner: any HTTPExchange, of path: String, _ count: @escaping @Sendable () -> Void) {
        (self.inner, self.path, self.count) = (inner, path, count)
    }

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        if request.url.hasSuffix(path) { count() }
        return try await inner.send(request)
    }
}

/// What a person was led through.
final class Steps: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ step: any RemediationStep) {
        let name =
            switch step {
            case is RemediationStepUserConsent: "consent"
            case let message as RemediationStepMessage: "message: \(message.text)"
            case is RemediationStepUserVerification: "verification"
            default: "unknown"
            }
        names.withLock { $0.append(name) }
    }
}

/// The error of an app's part that a call throws; nil where it throws none.
func fault(of body: () async throws -> Void) async -> DeviceAuthenticatorError? {
    do { try await body() } catch { return error as? DeviceAuthenticatorError }
    return nil
}

extension DeviceAuthenticatorError {
    var refusal: ServiceRefusal? { if case .serverAPIError(let refusal) = self { refusal } else { nil } }
}

extension LiveServer {
    /// A challenge of a later version of the service, signed by its real key.
    func challenge(of phone: Phone, about matter: String) async throws -> [UInt8]? {
        guard let real = try await challenges(of: phone).last.flatMap({ try UnverifiedPushChallenge.read($0)?.claims }),
            let key = try await engine.keys().first(where: { $0.state == .active }),
            let claims = PushClaims(
                issuer: real.issuer, device: real.device, issuedAt: real.issuedAt, expiresAt: real.expiresAt,
                id: real.id, notification: real.notification, matter: matter)
        else { return nil }
        return Array(try claims.signed(by: await engine.privateKey(key.id), keyID: key.id).utf8)
    }
}
