import CountersignClient
import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage
import Wire

// What the operator does. Others are refused by the service.
extension RemoteService {
    private var `operator`: Operator { account.operator }

    func status() async throws -> StatusMessage { try await `operator`.status().message }

    func audit(_ filter: AuditRow.Filter, each: @escaping @Sendable (AuditMessage) -> Bool) async throws {
        try await `operator`.audit(AuditFilter(filter)) { each($0.message) }
    }

    func deliveries(_ filter: OutboxRow.Filter, _ page: Page) async throws -> [DeliveryMessage] {
        try await `operator`.deliveries(DeliveryFilter(filter), startIndex: page.startIndex, count: page.count)
            .map(\.message)
    }

    func users() async throws -> [UserMessage] { try await `operator`.users().map(\.message) }

    var takesPasswords: Bool { false }

    func addUser(_ name: UserName, password: SecretBytes?) async throws {
        guard password == nil else { throw Self.noPasswords }
        try await `operator`.addUser(name.text)
    }

    func setPassword(_ password: SecretBytes, of name: UserName) async throws { throw Self.noPasswords }

    private static var noPasswords: Failure {
        Failure(
            .refusedInput, "a service takes no passwords from its operator: users set their own when they enrol",
            advice: "Give them a code of `countersign users code`.")
    }

    func clearPassword(of name: UserName) async throws { try await `operator`.clearPassword(of: name.text) }

    func makeActivationCode(for name: UserName) async throws -> ActivationCodeMessage {
        let made = try await `operator`.makeActivationCode(for: name.text).message
        guard ActivationCode(made.code)?.text.hasSameUTF8(as: made.code) == true else {
            throw ServiceError.protocolViolation("the service's activation code is none")
        }
        return made
    }

    func lock(_ name: UserName) async throws { try await `operator`.lock(name.text) }
    func unlock(_ name: UserName) async throws { try await `operator`.unlock(name.text) }

    func keys() async throws -> [KeyMessage] { try await `operator`.keys().map(\.message) }
    func createKey(_ algorithm: KeyAlgorithm) async throws -> String {
        try Self.keyID(await `operator`.createKey(algorithm))
    }

    func rotateKeys(to id: String?, algorithm: KeyAlgorithm?) async throws -> String {
        try Self.keyID(await `operator`.rotateKeys(to: id, algorithm: algorithm ?? .es256))
    }

    private static func keyID(_ key: KeyRecord) throws(ServiceError) -> String {
        guard Thumbprint.isWellFormed(key.id) else {
            throw .protocolViolation("the service's id of a key is none")
        }
        return key.id
    }

    func retireKey(_ id: String) async throws { try await `operator`.retireKey(id) }

    func revokeKey(_ id: String, as reason: TrustedKey.Revocation.Reason) async throws {
        try await `operator`.revokeKey(id, as: reason)
    }

    func settings() async throws -> [SettingMessage] { try await `operator`.settings().map(\.message) }

    func set(_ name: SettingName, to value: String) async throws -> Bool {
        do throws(ServiceError) {
            try await `operator`.set(name.rawValue, to: value)
            return true
        } catch {
            guard case .refused(let refusal) = error, refusal.refusal?.code == .settingValue else { throw error }
            return false
        }
    }

    func sessions(of user: UserName?) async throws -> [SessionMessage] {
        guard let user, user != self.user else { return try await account.sessions().map(\.message) }
        return try await `operator`.sessions(of: user.text).map(\.message)
    }

    func endSession(_ id: UUIDText) async throws { try await account.endSession(id.text) }
    func endSessions(of user: UserName) async throws -> Int? { try await `operator`.endSessions(of: user.text) }

    func clients() async throws -> [ClientMessage] { try await `operator`.clients().map(\.message) }

    func addClient(_ name: ClientName, key: PublicKey?) async throws -> ClientMessage {
        guard let key else {
            let added = try await `operator`.addClient(name.text).message
            guard added.secret.flatMap({ SessionToken($0, .clientSecret) }) != nil else {
                throw ServiceError.protocolViolation("the service's secret is none")
            }
            return added
        }
        return try await `operator`.addClient(name.text, publicKey: JWK(key).json).message
    }

    func lockClient(_ name: ClientName) async throws { try await `operator`.lockClient(name.text) }
    func unlockClient(_ name: ClientName) async throws { try await `operator`.unlockClient(name.text) }
}
