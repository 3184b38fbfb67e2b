import CountersignClient
import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// The keys of a service as it publishes them to everybody.
struct PublishedKeys {
    private let profile: Profile

    init(_ profile: Profile) { self.profile = profile }

    /// Nobody is logged in for these calls. The connection is made by the first.
    private var service: CountersignService {
        get throws(ServiceError) { try CountersignService(profile) }
    }

    /// The JWKS, as it came.
    func set() async throws -> [UInt8] {
        let bytes = try await service.keySet()
        _ = try Self.parsed(bytes)
        return bytes
    }

    /// The keys of the JWKS for a verifier.
    func trust() async throws(ServiceError) -> TrustStore { try await service.trust() }

    /// The public keys of the JWKS that are not compromised.
    func trusted() async throws -> [PublicKey] {
        try await Self.parsed(service.keySet()).keys.map(\.key)
    }

    private static func parsed(_ bytes: [UInt8]) throws(ServiceError) -> JWKSet {
        do throws(JOSEError) { return try JWKSet.parse(bytes.span) } catch {
            throw ServiceError.protocolViolation("the service's keys cannot be used: \(error)")
        }
    }

    /// The newest key history, without a newline.
    func history() async throws(ServiceError) -> [UInt8] {
        try CompactText.checked(await service.keyHistory(), "key history")
    }

    /// The root key, as the key history names it. It proves nothing: whoever pins it gets its thumbprint another way.
    func root() async throws -> RootKey? {
        let parts = try await service.keyHistory().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let claims = Base64URL.decode(parts[1].utf8.span),
            let root = try? JSON(parsing: claims, maxBytes: TrustStore.maxBytes).object?["root"]?.object,
            let key = try? JWK(root)
        else { throw Self.unreadable }
        return RootKey(id: key.keyID, algorithm: key.key.algorithm, signs: true)
    }

    private static var unreadable: ServiceError { .protocolViolation("the service's keys cannot be read") }
}
