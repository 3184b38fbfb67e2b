internal import CountersignJOSE
internal import CountersignKeys
public import CountersignVerifier
internal import Sessions
internal import Signing
internal import Synchronization
internal import Wire

/// A relying service: a backend that signs at level 0 for users, where the service allows it, and sees what it asked for and nothing
/// else. Its statements have its name as `aud`.
///
/// ```swift
/// let shop = try RelyingService("shop", .secret(Secret(bytes: secret)), at: "https://sign.example.com")
/// let result = try await shop.sign(user: "alice", payload: "Order 17", reason: "Receipt")
/// ```
public final class RelyingService: Sendable {
    /// How it proves who it is.
    public enum Credential: Sendable {
        /// The secret that the operator got for it.
        case secret(Secret)
        /// The private key whose public half the operator added (`private_key_jwt`, RFC 7523): PKCS#8 in PEM.
        case key(pem: Secret, passcode: Secret? = nil)
    }

    private let connection: ServiceConnection
    private let authorizer: ClientAuthorizer

    /// A relying service.
    ///
    /// - Parameters:
    ///   - name: The name that the operator gave it.
    ///   - url: The service's URL.
    ///   - isBound: Whether its tokens are bound to a key that this object makes and forgets (DPoP): a stolen one is then useless.
    public convenience init(
        _ name: String, _ credential: Credential, at url: String, isBound: Bool = false,
        options: ServiceOptions = ServiceOptions()
    ) throws(ServiceError) {
        try self.init(
            name, credential, at: url, isBound: isBound, options: options, surroundings: Surroundings(options))
    }

    /// A relying service in given surroundings.
    package init(
        _ name: String, _ credential: Credential, at url: String, isBound: Bool, options: ServiceOptions,
        surroundings: Surroundings
    ) throws(ServiceError) {
        connection = try ServiceConnection(url, options, surroundings)
        authorizer = try ClientAuthorizer(name, credential, isBound: isBound, connection)
    }

    /// Signs a text for a user at level 0: nobody is asked.
    ///
    /// - Throws: `refused` with 214 where the service does not allow level 0.
    public func sign(user: String, payload: String, reason: String) async throws(ServiceError) -> SignedResult {
        let request = StartSigning(user: user, payload: payload, reason: reason, level: 0, authenticatorType: 0)
        let message: SigningMessage = try await connection.message(.post("/v1/signings", request), as: authorizer)
        try message.check(against: request)
        guard let result = message.result else { throw .protocolViolation("the service did not sign") }
        return result
    }

    /// The result of a signing that it asked for, by the id of its ceremony; nil while there is none.
    public func result(of ceremony: String) async throws(ServiceError) -> SignedResult? {
        let message: SigningMessage = try await connection.message(
            .get("/v1/signings/\(Call.segment(ceremony))"), as: authorizer)
        try message.check()
        return message.result
    }

    /// A page of the statements that it asked for, newest first.
    public func statements(
        _ filter: StatementFilter = StatementFilter(), startIndex: Int = 1, count: Int = 100
    ) async throws(ServiceError) -> [StatementRecord] {
        let statements: [StatementMessage] = try await connection.list(
            filter.call(startIndex: startIndex, count: count), as: authorizer)
        return statements.map(StatementRecord.init)
    }

    /// Ends the session. The next call begins another.
    public func logOut() async throws(ServiceError) {
        guard authorizer.hasToken else { return }
        try await connection.done(.delete("/v1/sessions/current"), as: authorizer)
        authorizer.forget()
    }
}

/// The session of a relying service: in memory, and begun anew when it ends.
private final class ClientAuthorizer: Authorizer {
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

    private func logIn() async throws(ServiceError) -> Credentials {
        let now = connection.surroundings.now()
        let request: TokenRequest
        switch proof {
        case .secret(let secret):
            // Anything but UTF-8 is a wrong secret, which the service says.
            // Anything but UTF-8 is a wrong secret, which the service says.
            let text = secret.bytes.withBytes { bytes in
                String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            }
            request = TokenRequest(.clientCredentials, client: name, secret: text)
        case .key(let key):
            do throws(KeyError) {
                let assertion = try ClientAssertion.sign(
                    client: name, audience: connection.origin.text + "/v1/token", at: now, with: key)
                request = TokenRequest(.clientCredentials, client: name, assertion: assertion)
            } catch {
                throw ServiceError(error)
            }
        }
        // An assertion is good for one request; a session begun twice does no harm. So no key, and nothing is sent again that may
        // have arrived.
        let call = Call.token(request, key: nil)
        let message: GrantMessage = try await connection.message(
            call, as: key.map { ProofOnly(key: $0, nonces: nonces) })
        guard message.tokenType == (key == nil ? .bearer : .dpop) else {
            throw .protocolViolation("the service gave a token of another type")
        }
        let life = Int64(max(1, message.expiresIn - min(20, message.expiresIn / 4))) * 1000
        grant.withLock { $0 = Grant(token: message.accessToken, expiresAt: now + life) }
        return Credentials(token: message.accessToken, key: key)
    }
}
