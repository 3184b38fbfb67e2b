import CountersignKeys
import CountersignVerifier
import Signing
import SigningService
import Storage

/// The engine in this process, over a store on this machine.
struct EmbeddedService: Service {
    private let engine: SigningEngine
    /// A process of the command line is a session of its own.
    private let session: Asker

    /// - Throws: where the random source fails.
    init(_ engine: SigningEngine) throws {
        guard let id = UUIDText(try SecureRandom.uuid()) else {
            throw Failure(.unavailable, "the random source made no UUID")
        }
        self.engine = engine
        session = Asker(session: id)
    }

    func close() async { await engine.close() }
}

extension EmbeddedService {
    func start(
        user: UserName, payload: [UInt8], reason: [UInt8], level: Int, type: Int, audience: String?
    ) async throws -> SigningOutcome {
        try await engine.start(
            user: user, payload: payload, reason: reason, level: level, type: type, audience: audience, asker: session)
    }

    func answer(_ challenge: Challenge, with password: SecretBytes) async throws -> SigningOutcome {
        try await engine.answer(challenge, with: password)
    }

    func resetOwn() async throws { try await engine.reset(session) }
    func reset(ceremony: UUIDText) async throws -> Bool { try await engine.reset(ceremony: ceremony) }
    func resetAll(of user: UserName?) async throws -> Int { try await engine.resetAll(of: user) }

    func statement(_ id: UUIDText) async throws -> StatementRow? { try await engine.statement(id) }

    func statements(_ filter: StatementRow.Filter, _ page: Page) async throws -> [StatementRow] {
        try await engine.statements(filter, page)
    }

    func keySet() async throws -> [UInt8] { try await engine.keySet() }
}

extension EmbeddedService {
    func status() async throws -> StoreStatus { try await engine.status() }

    func audit(_ filter: AuditRow.Filter, _ page: Page) async throws -> [AuditRow] {
        try await engine.audit(filter, page)
    }

    func users() async throws -> [User] { try await engine.users() }

    func addUser(_ name: UserName, password: SecretBytes) async throws {
        try await engine.addUser(name, password: password)
    }

    func setPassword(_ password: SecretBytes, of name: UserName) async throws {
        try await engine.setPassword(password, of: name)
    }

    func lock(_ name: UserName) async throws { try await engine.lock(name) }
    func unlock(_ name: UserName) async throws { try await engine.unlock(name) }

    func keys() async throws -> [SigningKey] { try await engine.keys() }
    func createKey(_ algorithm: KeyAlgorithm) async throws -> SigningKey { try await engine.createKey(algorithm) }

    func rotateKeys(to id: String?, algorithm: KeyAlgorithm) async throws -> SigningKey {
        try await engine.rotateKeys(to: id, algorithm: algorithm)
    }

    func retireKey(_ id: String) async throws { try await engine.retireKey(id) }

    func revokeKey(_ id: String, as reason: TrustedKey.Revocation.Reason) async throws {
        try await engine.revokeKey(id, as: reason)
    }

    func signHistory(with key: PrivateKey?) async throws -> [UInt8] { try await engine.signHistory(with: key) }

    func settings() async throws -> Settings { try await engine.settings() }
    func set(_ name: SettingName, to value: String) async throws -> Bool { try await engine.set(name, to: value) }
}
