internal import CountersignJOSE
internal import CountersignKeys
public import CountersignVerifier
internal import Outbound
internal import Signing
internal import Wire

/// A service, asked without a session: its keys, and what it says of statements.
///
/// ```swift
/// let service = try CountersignService("https://sign.example.com")
/// let verifier = StatementVerifier(trust: try await service.trust())
/// ```
public struct CountersignService: Sendable {
    let connection: ServiceConnection

    /// A service at `https://host` or `https://host:port`; on this machine also `http`.
    public init(_ url: String, options: ServiceOptions = ServiceOptions()) throws(ServiceError) {
        try self.init(url, options: options, surroundings: Surroundings(options))
    }

    /// The service of a profile, asked as the profile says; nobody needs to be logged in.
    public init(_ profile: Profile, options: ServiceOptions = ServiceOptions()) throws(ServiceError) {
        try self.init(profile.server, options: profile.options(options))
    }

    /// A service in given surroundings.
    package init(_ url: String, options: ServiceOptions, surroundings: Surroundings) throws(ServiceError) {
        connection = try ServiceConnection(url, options, surroundings)
    }

    /// The service that a connection leads to.
    init(connection: ServiceConnection) { self.connection = connection }

    /// Scheme, host and port.
    public var origin: String { connection.origin.text }

    /// The key set (RFC 7517) with every key that ever signed, as it came.
    public func keySet() async throws(ServiceError) -> [UInt8] {
        try await connection.perform(
            .get("/.well-known/jwks.json", accept: "application/jwk-set+json, application/json")
        )
        .body
    }

    /// The keys, for a verifier. It believes what the connection's TLS vouches for; with a pinned root key, use
    /// ``keyHistory()``.
    public func trust() async throws(ServiceError) -> TrustStore {
        let bytes = try await keySet()
        do throws(TrustError) { return try TrustStore(bytes) } catch {
            throw .protocolViolation("the service's keys cannot be used: \(error)")
        }
    }

    /// The signed key history, which says when keys began, ended and were revoked: for `TrustStore(_:root:)`.
    public func keyHistory() async throws(ServiceError) -> String {
        try await connection.text(.get("/.well-known/countersign-keys", accept: "application/jwt"))
    }

    /// What the service says of itself.
    public func metadata() async throws(ServiceError) -> ServiceMetadata {
        ServiceMetadata(try await connection.message(.get("/.well-known/oauth-authorization-server")))
    }

    /// The service's verdict on a statement. A program that can should verify by itself: see ``trust()``.
    public func verify(
        _ statement: String, policy: VerificationPolicy = VerificationPolicy()
    ) async throws(ServiceError) -> ServiceVerdict {
        ServiceVerdict(
            try await connection.message(
                .query("/v1/verifications", VerifyStatements(statement, policy: policy.message))))
    }

    /// The service's verdicts on at most 1,000 statements, in their order.
    public func verify(
        _ statements: [String], policy: VerificationPolicy = VerificationPolicy()
    ) async throws(ServiceError) -> [ServiceVerdict] {
        let verdicts: [VerdictMessage] = try await connection.list(
            .query("/v1/verifications", VerifyStatements(statements, policy: policy.message)))
        guard verdicts.count == statements.count else {
            throw .protocolViolation("the service gave \(verdicts.count) verdicts on \(statements.count) statements")
        }
        return verdicts.map(ServiceVerdict.init)
    }

    /// Whether the service is up and can sign.
    public func isReady() async throws(ServiceError) -> Bool {
        do throws(ServiceError) {
            try await connection.done(.get("/readyz", accept: "text/plain"))
            return true
        } catch {
            if case .refused = error { return false }
            throw error
        }
    }
}

/// What a service says of itself (RFC 8414).
public struct ServiceMetadata: Sendable {
    /// The `iss` of its statements.
    public let issuer: String
    /// Where tokens are refreshed.
    public let tokenEndpoint: String
    /// Where its key set is.
    public let keySet: String
    /// Where its signed key history is.
    public let keyHistory: String

    init(_ message: MetadataMessage) {
        issuer = message.issuer
        tokenEndpoint = message.tokenEndpoint
        keySet = message.keys
        keyHistory = message.keyHistory
    }
}
