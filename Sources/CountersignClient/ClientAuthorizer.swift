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

    private enum Proof: Sendable {
        case secret(Secret)
        case key(PrivateKey)
    }

    private let name: String
    private let proof: Proof
    private let key: PrivateKey?
    private let connection: ServiceConnection
    private let nonces = NonceBox()
    private let grant = Mutex<Grant?>(nil)

    init(
        _ name: String, _ credential: RelyingService.Credential, isBound: Bool, _ connection: ServiceConnection
    ) throws(ServiceError) {
        self.name = name
        self.connection = connection
        do throws(KeyError) {
            key = isBound ? try PrivateKey(generating: .es256) : nil
            switch credential {
            case .secret(let secret): proof = .secret(secret)
            case .key(let pem, let passcode):
                proof = .key(
                    try pem.bytes.withBytes { (pem) throws(KeyError) in
                        try PrivateKey(pem: pem, passphrase: passcode?.bytes)
                    })
            }
        } catch {
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

    /// Begins a session. Where the answer is lost, another is begun: one that nobody uses does no harm, and an assertion is good
    /// for one request only.
    private func logIn() async throws(ServiceError) -> Credentials {
        var round = 0
        while true {
            do throws(ServiceError) {
                return try await logInOnce()
            } catch {
                round += 1
                guard case .unreachable = error, round < 3 else { throw error }
            }
        }
    }

    private func logInOnce() async throws(ServiceError) -> Credentials {
        let now = connection.surroundings.now()
        let message: GrantMessage = try await connection.message(
            .token(try request(at: now), key: nil), as: key.map { ProofOnly(key: $0, nonces: nonces) })
        guard message.tokenType == (key == nil ? .bearer : .dpop) else {
            throw .protocolViolation("the service gave a token of another type")
        }
        let life = Int64(max(1, message.expiresIn - min(20, message.expiresIn / 4))) * 1000
        grant.withLock { $0 = Grant(token: message.accessToken, expiresAt: now + life) }
        return Credentials(token: message.accessToken, key: key)
    }

    private func request(at now: Int64) throws(ServiceError) -> TokenRequest {
        switch proof {
        case .secret(let secret):
            // Anything but UTF-8 is a wrong secret, which the service says.
            let text = secret.bytes.withBytes { bytes in
                String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            }
            return TokenRequest(.clientCredentials, client: name, secret: text)
        case .key(let key):
            do throws(KeyError) {
                let assertion = try ClientAssertion.sign(
                    client: name, audience: connection.origin.text + "/v1/token", at: now, with: key)
                return TokenRequest(.clientCredentials, client: name, assertion: assertion)
            } catch {
                throw ServiceError(error)
            }
        }
    }
}
