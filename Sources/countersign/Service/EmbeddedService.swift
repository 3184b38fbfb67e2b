import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import ServiceMessages
import Sessions
import Signing
import SigningService
import Storage
import Wire

/// The engine in this process, over a store on this machine.
struct EmbeddedService: Service {
    let location: Location
    let engine: SigningEngine
    /// A process of the command line is a session of its own.
    private let session: Asker

    /// - Throws: where the random source fails.
    init(_ store: OpenStore) throws {
        guard let id = UUIDText(try SecureRandom.uuid()) else {
            throw Failure(.unavailable, "the random source made no UUID")
        }
        location = .store(store.path)
        engine = store.engine
        session = Asker(session: id)
    }

    /// Closes the store. The process ends next, so the engine is not taken apart: that would be a tenth of a short run.
    func close() async {
        await engine.close()
        _ = unsafe Unmanaged.passRetained(engine)
    }
}

extension EmbeddedService {
    /// Whoever owns the store signs as anyone in it.
    var user: UserName? { nil }

    func check(user: UserName, level: Int) {}

    func start(
        user: UserName, payloads: Payloads, reason: [UInt8], level: Int, type: Int, audience: String?, once key: String?
    ) async throws -> SigningOutcome {
        guard key == nil else {
            throw Failure(
                .refusedInput, "--idempotency-key is for a service, not for a store of one's own",
                advice: "Leave it away, or choose a profile.")
        }
        return try await engine.start(
            user: user, payloads: payloads, reason: reason, level: level, type: type, audience: audience,
            asker: session)
    }

    func answer(_ challenge: Challenge, with password: SecretBytes) async throws -> SigningOutcome {
        try await engine.answer(challenge, with: password)
    }

    func resetOwn() async throws { try await engine.reset(session) }
    func reset(ceremony: UUIDText) async throws -> Bool { try await engine.reset(ceremony: ceremony) }
    func resetAll(of user: UserName?) async throws -> Int? { try await engine.resetAll(of: user) }

    func statement(_ id: UUIDText) async throws -> StatementMessage? {
        try await engine.statement(id).map(StatementMessage.init)
    }

    func statements(ofCeremony id: UUIDText) async throws -> [StatementMessage] {
        try await engine.statements(ofCeremony: id).map(StatementMessage.init)
    }

    func statements(_ filter: StatementRow.Filter, _ page: Page) async throws -> [StatementMessage] {
        try await engine.statements(filter, page).map(StatementMessage.init)
    }

    func keySet() async throws -> [UInt8] { try await engine.keySet() }

    func trustedKeys() async throws -> [PublicKey] {
        try await engine.keys().filter { $0.purpose == .statements && $0.revocation != "compromised" }.map(\.key)
    }

    func rootKey() async throws -> RootKey? {
        try await engine.keys().first { $0.purpose == .root }.map {
            RootKey(id: $0.id, algorithm: $0.key.algorithm, signs: $0.hasPrivateHalf)
        }
    }

    func keyHistory(signedBy key: PrivateKey?) async throws -> [UInt8] { try await engine.signHistory(with: key) }
}

extension EmbeddedService {
    func status() async throws -> StatusMessage { StatusMessage(try await engine.status()) }

    func audit(_ filter: AuditRow.Filter, each: @escaping @Sendable (AuditMessage) -> Bool) async throws {
        // Each page begins where the one before ended, whatever was added meanwhile.
        var filter = filter
        while let page = Page(startIndex: 1, count: Page.limit) {
            let rows = try await engine.audit(filter, page)
            guard rows.allSatisfy({ each(AuditMessage($0)) }), let last = rows.last?.seq else { return }
            filter.before = last
        }
    }

    func deliveries(_ filter: OutboxRow.Filter, _ page: Page) async throws -> [DeliveryMessage] {
        try await engine.deliveries(filter, page).map(DeliveryMessage.init)
    }

    func users() async throws -> [UserMessage] { try await engine.users().map(UserMessage.init) }

    var takesPasswords: Bool { true }

    func addUser(_ name: UserName, password: SecretBytes?) async throws {
        try await engine.addUser(name, password: password)
    }

    func setPassword(_ password: SecretBytes, of name: UserName) async throws {
        try await engine.setPassword(password, of: name)
    }

    func clearPassword(of name: UserName) async throws { try await engine.clearPassword(of: name) }

    func makeActivationCode(for name: UserName) async throws -> ActivationCodeMessage {
        let issued = try await engine.makeActivationCode(for: name)
        return ActivationCodeMessage(user: issued.user.text, code: issued.code.text, expiresAt: issued.expiresAt)
    }

    func lock(_ name: UserName) async throws { try await engine.lock(name) }
    func unlock(_ name: UserName) async throws { try await engine.unlock(name) }

    func keys() async throws -> [KeyMessage] { try await engine.keys().map(KeyMessage.init) }
    func createKey(_ algorithm: KeyAlgorithm) async throws -> String { try await engine.createKey(algorithm).id }

    func rotateKeys(to id: String?, algorithm: KeyAlgorithm?) async throws -> String {
        try await engine.rotateKeys(to: id, algorithm: algorithm ?? .es256).id
    }

    func retireKey(_ id: String) async throws { try await engine.retireKey(id) }

    func revokeKey(_ id: String, as reason: TrustedKey.Revocation.Reason) async throws {
        try await engine.revokeKey(id, as: reason)
    }

    func settings() async throws -> [SettingMessage] {
        let settings = try await engine.settings()
        return SettingName.allCases.map {
            SettingMessage(name: $0.rawValue, value: $0.value(in: settings), help: $0.help)
        }
    }

    func set(_ name: SettingName, to value: String) async throws -> Bool { try await engine.set(name, to: value) }
}

extension EmbeddedService {
    func sessions(of user: UserName?) async throws -> [SessionMessage] {
        // Whoever owns a store has no session of their own.
        guard let user else { throw Failure(.refusedInput, "it is not said whose sessions", advice: "Give --user.") }
        return try await engine.sessions(of: .person(user)).map { SessionMessage($0) }
    }

    func endSession(_ id: UUIDText) async throws { try await engine.endSession(id, of: nil) }
    func endSessions(of user: UserName) async throws -> Int? { try await engine.endSessions(of: user) }

    func clients() async throws -> [ClientMessage] {
        try await engine.clients().map { ClientMessage($0) }
    }

    func addClient(_ name: ClientName, key: PublicKey?) async throws -> ClientMessage {
        let added = try await engine.addClient(name, credential: key.map(ClientCredential.key) ?? .generatedSecret)
        return ClientMessage(added.client, secret: added.secret)
    }

    func lockClient(_ name: ClientName) async throws { try await engine.lockClient(name) }
    func unlockClient(_ name: ClientName) async throws { try await engine.unlockClient(name) }
}
