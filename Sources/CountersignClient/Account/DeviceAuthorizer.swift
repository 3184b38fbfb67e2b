internal import CountersignKeys
internal import Sessions
internal import Signing
internal import Synchronization
internal import Wire

/// The session of a profile: its tokens are in a file that other processes use too, and are refreshed under a lock.
final class DeviceAuthorizer: Authorizer {
    let key: PrivateKey
    private let folder: PrivateFolder
    private let connection: ServiceConnection
    private let nonces: NonceBox
    /// What was last read from the file or written to it.
    private let known: Mutex<StoredTokens>
    /// The name of the relying service, where it is one.
    private let client: Mutex<String?>

    init(_ profile: Profile, key: PrivateKey, _ connection: ServiceConnection) throws(ServiceError) {
        folder = profile.folder
        self.key = key
        self.connection = connection
        let tokens = try profile.folder.tokens()
        nonces = NonceBox(tokens.nonce)
        known = Mutex(tokens)
        client = Mutex(profile.client)
    }

    /// The id of the session, where there is one.
    var session: String? { known.withLock { $0.session } }

    /// For calls that prove the key and have no token.
    var proofOnly: ProofOnly { ProofOnly(key: key, nonces: nonces) }

    var nonce: String? { nonces.nonce }

    func credentials() async throws(ServiceError) -> Credentials {
        let now = connection.surroundings.now()
        if let token = known.withLock({ $0.liveToken(at: now) }) { return Credentials(token: token, key: key) }
        return try await refreshed(insteadOf: nil)
    }

    func credentials(after refused: Credentials) async throws(ServiceError) -> Credentials? {
        try await refreshed(insteadOf: refused.token)
    }

    /// Keeps a nonce, for other processes too. One that the file misses costs a round trip, so nothing waits for it.
    func take(nonce: String) {
        nonces.take(nonce)
        guard let newest = nonces.nonce, known.withLock({ $0.nonce }) != newest,
            let lock = try? folder.tryLock(Self.lockName)
        else { return }
        withExtendedLifetime(lock) {
            guard var tokens = try? folder.tokens(), !tokens.isDamaged else { return }
            tokens.nonce = newest
            try? keep(tokens)
        }
    }

    /// Takes the tokens of a log-in.
    func take(_ grant: GrantMessage) async throws(ServiceError) {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        try keep(StoredTokens(grant, nonce: nonces.nonce, at: connection.surroundings.now()))
    }

    /// Forgets the session.
    func forget() async throws(ServiceError) {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        var tokens = StoredTokens()
        tokens.nonce = nonces.nonce
        try keep(tokens)
    }

    // MARK: Inner parts

    private static let lockName = "tokens.lock"
    /// How often a lock is asked for, and how long between.
    private static let (tries, pause) = (1500, Duration.milliseconds(20))

    /// Another token: the one that another process got meanwhile, or that of a refresh. A refresh token is good for one use, and
    /// using it twice ends the session (RFC 9700 section 4.14), so only who has the lock uses it.
    private func refreshed(insteadOf refused: String?) async throws(ServiceError) -> Credentials {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        var tokens = try folder.tokens()
        known.withLock { $0 = tokens }
        guard !tokens.isDamaged else {
            throw .local("\(folder.path)/\(StoredTokens.name) is damaged: log in again, which writes it anew")
        }
        if let token = tokens.liveToken(at: connection.surroundings.now()), token != refused {
            return Credentials(token: token, key: key)
        }
        guard let refresh = tokens.refreshToken else {
            if let credential = try credential() {
                let grant = try await credential.grant(connection, as: proofOnly)
                guard grant.tokenType == .dpop else {
                    throw .protocolViolation("the service gave a token without a key")
                }
                try keep(StoredTokens(grant, nonce: nonces.nonce, at: connection.surroundings.now()))
                return Credentials(token: grant.accessToken, key: key)
            }
            throw ServiceError(Refusal(tokens.accessToken == nil ? .tokenMissing : .tokenInvalid))
        }
        let idempotencyKey: String
        if let begun = tokens.pending {
            idempotencyKey = begun
        } else {
            idempotencyKey = try Call.newKey()
            tokens.pending = idempotencyKey
            try keep(tokens)
        }
        let call = Call.token(TokenRequest(.refresh(token: refresh)), key: idempotencyKey)
        let grant: GrantMessage
        do throws(ServiceError) {
            grant = try await connection.message(call, as: proofOnly)
        } catch {
            if case .refused(let refusal) = error, refusal.refusal?.code == .grantInvalid {
                // The session is over; asking again would not bring it back.
                var ended = StoredTokens()
                ended.nonce = nonces.nonce
                try keep(ended)
            }
            throw error
        }
        let fresh = StoredTokens(grant, nonce: nonces.nonce, at: connection.surroundings.now())
        try keep(fresh)
        return Credentials(token: grant.accessToken, key: key)
    }

    /// Keeps how a relying service proves itself, with which its sessions begin.
    func keep(_ credential: ClientCredential) throws(ServiceError) {
        client.withLock { $0 = credential.name }
        try folder.keep(credential)
    }

    /// The relying service, where the profile is one's.
    private func credential() throws(ServiceError) -> ClientCredential? {
        guard let name = client.withLock({ $0 }) else { return nil }
        return try folder.credential(of: name)
    }

    private func keep(_ tokens: StoredTokens) throws(ServiceError) {
        try folder.write(StoredTokens.name, tokens)
        known.withLock { $0 = tokens }
    }

    private func lock() async throws(ServiceError) -> FolderLock {
        for _ in 0..<Self.tries {
            if let lock = try folder.tryLock(Self.lockName) { return lock }
            do { try await connection.surroundings.sleep(Self.pause) } catch { throw .cancelled }
        }
        throw .local("another process holds \(folder.path)/\(Self.lockName)")
    }
}
