internal import CountersignKeys
internal import Sessions
internal import Synchronization
internal import Wire

/// The session of a relying service: in memory, and begun anew when it ends.
final class ClientAuthorizer: Authorizer {
    private struct Grant {
        let token: String
        let expiresAt: Int64
    }

    private let credential: ClientCredential
    private let key: PrivateKey?
    private let connection: ServiceConnection
    private let nonces = NonceBox()
    private let grant = Mutex<Grant?>(nil)

    init(
        _ name: String, _ credential: RelyingService.Credential, isBound: Bool, _ connection: ServiceConnection
    ) throws(ServiceError) {
        self.credential = try ClientCredential(name: name, credential)
        self.connection = connection
        do throws(KeyError) { key = isBound ? try PrivateKey(generating: .es256) : nil } catch {
            throw ServiceError(error)
        }
    }

    var hasToken: Bool { grant.withLock { $0 != nil } }
    var nonce: String? { nonces.nonce }
    func take(nonce: String) { nonces.take(nonce) }
    func forget() { grant.withLock { $0 = nil } }

    func credentials() async throws(ServiceError) -> Credentials {
        let now = connection.surroundings.now()
        if let grant = grant.withLock({ $0 }), now < grant.expiresAt {
            return Credentials(token: grant.token, key: key)
        }
        return try await logIn()
    }

    func credentials(after refused: Credentials) async throws(ServiceError) -> Credentials? {
        // Another task may have begun a session meanwhile.
        if let grant = grant.withLock({ $0 }), grant.token != refused.token {
            return Credentials(token: grant.token, key: key)
        }
        return try await logIn()
    }

    private func logIn() async throws(ServiceError) -> Credentials {
        let now = connection.surroundings.now()
        let message = try await credential.grant(connection, as: key.map { ProofOnly(key: $0, nonces: nonces) })
        guard message.tokenType == (key == nil ? .bearer : .dpop) else {
            throw .protocolViolation("the service gave a token of another type")
        }
        let life = Int64(max(1, message.expiresIn - min(20, message.expiresIn / 4))) * 1000
        grant.withLock { $0 = Grant(token: message.accessToken, expiresAt: now + life) }
        return Credentials(token: message.accessToken, key: key)
    }
}
