internal import CountersignKeys
internal import Sessions
internal import Wire

/// Who a relying service is, and how it proves that.
struct ClientCredential: Sendable {
    enum Proof: Sendable {
        case secret(Secret)
        case key(PrivateKey)
    }

    let name: String
    let proof: Proof

    init(name: String, _ credential: RelyingService.Credential) throws(ServiceError) {
        self.name = name
        switch credential {
        case .secret(let secret): proof = .secret(secret)
        case .key(let pem, let passcode):
            do throws(KeyError) {
                proof = .key(
                    try pem.bytes.withBytes { (pem) throws(KeyError) in
                        try PrivateKey(pem: pem, passphrase: passcode?.bytes)
                    })
            } catch {
                throw ServiceError(error)
            }
        }
    }

    /// The request for a session at a service. A session begun twice does no harm, so it has no key; where its answer is lost,
    /// another one is made, since an assertion is good for one request only.
    func call(at origin: ServiceOrigin, _ now: Int64) throws(ServiceError) -> Call {
        switch proof {
        case .secret(let secret):
            // Anything but UTF-8 is a wrong secret, which the service says.
            let text = secret.bytes.withBytes { bytes in
                String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            }
            return .token(TokenRequest(.clientCredentials, client: name, secret: text), key: nil)
        case .key(let key):
            do throws(KeyError) {
                let assertion = try ClientAssertion.sign(
                    client: name, audience: origin.text + "/v1/token", at: now, with: key)
                return .token(TokenRequest(.clientCredentials, client: name, assertion: assertion), key: nil)
            } catch {
                throw ServiceError(error)
            }
        }
    }

    /// Begins a session, again where the answer is lost.
    func grant(
        _ connection: ServiceConnection, as authorizer: (any Authorizer)?
    ) async throws(ServiceError) -> GrantMessage {
        var round = 0
        while true {
            do throws(ServiceError) {
                let call = try call(at: connection.origin, connection.surroundings.now())
                return try await connection.message(call, as: authorizer)
            } catch {
                round += 1
                guard error.isLost, round < 3 else { throw error }
            }
        }
    }
}

extension PrivateFolder {
    private static let (secretName, keyName) = ("client.secret", "client.key")
    private static let (maxSecretBytes, maxKeyBytes) = (1024, 16_384)

    /// Keeps how the relying service of this profile proves itself, with which its sessions begin.
    func keep(_ credential: ClientCredential) throws(ServiceError) {
        switch credential.proof {
        case .secret(let secret):
            try write(Self.secretName, secret.bytes)
            try remove(Self.keyName)
        case .key(let key):
            let pem: SecretBytes
            do throws(KeyError) { pem = try key.pem() } catch { throw ServiceError(error) }
            try write(Self.keyName, pem)
            try remove(Self.secretName)
        }
    }

    /// How the relying service of this profile proves itself; nil where nothing is kept.
    func credential(of name: String) throws(ServiceError) -> ClientCredential? {
        if let secret = try read(Self.secretName, limit: Self.maxSecretBytes) {
            return try ClientCredential(name: name, .secret(Secret(secret)))
        }
        guard let pem = try read(Self.keyName, limit: Self.maxKeyBytes) else { return nil }
        return try ClientCredential(name: name, .key(pem: Secret(pem)))
    }
}
