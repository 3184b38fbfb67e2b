import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Passwords
import Sessions
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

/// Somebody with a device and a session.
struct Person: Sendable {
    let key: PrivateKey
    let grant: SessionGrant

    var thumbprint: String { Thumbprint.sha256(of: key.publicKey) }
    var session: Session { grant.session }
}

extension TestStore {
    /// Enrols a device; alice has a password already.
    func person(
        _ name: String = "alice", password: String = TestStore.password, device: String = "phone",
        key: PrivateKey? = nil, engine: SigningEngine? = nil
    ) async throws -> Person {
        let engine = engine ?? self.engine
        let key = try key ?? PrivateKey(generating: .es256)
        let code = try await engine.makeActivationCode(for: Self.user(name)).code
        let grant = try await engine.enrol(
            user: Self.user(name), code: code, password: Self.secret(password), deviceName: device,
            key: key.publicKey)
        return Person(key: key, grant: grant)
    }

    /// Logs in with a key.
    func logIn(
        _ key: PrivateKey, _ name: String? = "alice", password: String = TestStore.password,
        engine: SigningEngine? = nil, once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant {
        try await (engine ?? self.engine).logIn(
            user: name.map { try Self.user($0) }, password: Self.secret(password), key: key.publicKey, once: once)
    }

    /// Adds a relying service with a secret, and logs it in.
    func service(_ name: String = "shop") async throws -> (secret: SessionToken, grant: SessionGrant) {
        let client = try #require(ClientName(name))
        let added = try await engine.addClient(client, credential: .generatedSecret)
        let secret = try #require(added.secret)
        return (secret, try await engine.logInClient(client, secret: secret))
    }

    /// An operator with a session.
    func logInOperator() async throws -> SessionGrant {
        let key = try PrivateKey(generating: .edDSA)
        return try await engine.logInOperator(engine.makeOperatorToken(), key: key.publicKey)
    }

    /// Starts a signing for a session.
    func start(
        _ session: Session, payload: String = "Pay 5.00 EUR", level: Int = 1, user: String? = nil,
        engine: SigningEngine? = nil, once: Once<SigningRecord>? = nil
    ) async throws -> SigningRecord {
        try await (engine ?? self.engine).start(
            as: session, user: user.map { try Self.user($0) }, payloads: .one(Array(payload.utf8)),
            reason: Array("Invoice 17".utf8), level: level, type: 0, once: once)
    }

    /// Answers a signing.
    func answer(
        _ id: UUIDText, _ session: Session, _ password: String = TestStore.password, generation: Int? = nil,
        engine: SigningEngine? = nil, once: Once<Answered>? = nil
    ) async throws -> SigningRecord {
        try await (engine ?? self.engine).answer(
            ceremony: id, as: session, generation: generation, password: Self.secret(password), once: once)
    }

    /// The log-in ledger of a name.
    func loginLedger(_ name: String = "alice") async throws -> LedgerRow {
        let database = try await database()
        let ledger = try await database.read { try LedgerRow.load(name, .login, on: $0) }
        await database.close()
        return ledger
    }

    /// How many hashes were computed, of persons and of strangers.
    var hashes: [Int] { [hasher.completed, strangers.completed] }

    /// Whether a token is taken.
    func isAlive(_ token: SessionToken, engine: SigningEngine? = nil) async throws -> Bool {
        try await Self.code { _ = try await (engine ?? self.engine).session(token) } == nil
    }

    /// Changes the store behind the engine.
    func change(_ body: @escaping @Sendable (any SQLConnection) throws -> Void) async throws {
        let database = try await database()
        try await database.write { try body($0) }
        await database.close()
    }
}

/// Runs the same thing several times at once.
func race<T: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> T) async throws -> [T] {
    try await withThrowingTaskGroup(of: T.self) { group in
        for index in 0..<count { group.addTask { try await body(index) } }
        var all: [T] = []
        for try await one in group { all.append(one) }
        return all
    }
}
