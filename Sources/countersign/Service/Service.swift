import CountersignKeys
import CountersignVerifier
import Signing
import SigningService
import Storage

/// What commands work with: a store on this machine, or a service on the network that keeps one. A command says once
/// what it does, and prints the same of both.
///
/// Every method throws what `Failure.init(explaining:)` knows: a `Refusal` for a "no" of the rules, whoever said it.
protocol Service: Signatory, Administration, Sendable {
    /// Finishes what runs and lets go of the store or the connection. Twice is harmless.
    func close() async
}

/// Whom a command asks for signatures.
protocol Signatory {
    /// Starts a signing. A service knows its user from the session; a store takes whom it is told.
    func start(
        user: UserName, payload: [UInt8], reason: [UInt8], level: Int, type: Int, audience: String?
    ) async throws -> SigningOutcome

    /// Answers with a password. A wrong one leads to the next challenge while attempts are left.
    func answer(_ challenge: Challenge, with password: SecretBytes) async throws -> SigningOutcome

    /// Ends the open signing of this session, if there is one.
    func resetOwn() async throws

    /// Ends the open signing with this id. Returns whether there was one.
    func reset(ceremony: UUIDText) async throws -> Bool

    /// Ends all open signings, or those of one user. Returns how many there were.
    func resetAll(of user: UserName?) async throws -> Int

    /// A statement by its signature id, or nil.
    func statement(_ id: UUIDText) async throws -> StatementRow?

    /// A page of what was signed, newest first.
    func statements(_ filter: StatementRow.Filter, _ page: Page) async throws -> [StatementRow]

    /// The JWKS with every key that signs, signed or will sign, without a newline.
    func keySet() async throws -> [UInt8]
}

/// What the operator does.
protocol Administration {
    func status() async throws -> StoreStatus
    func audit(_ filter: AuditRow.Filter, _ page: Page) async throws -> [AuditRow]

    func users() async throws -> [User]
    func addUser(_ name: UserName, password: SecretBytes) async throws
    func setPassword(_ password: SecretBytes, of name: UserName) async throws
    func lock(_ name: UserName) async throws
    func unlock(_ name: UserName) async throws

    func keys() async throws -> [SigningKey]
    func createKey(_ algorithm: KeyAlgorithm) async throws -> SigningKey
    func rotateKeys(to id: String?, algorithm: KeyAlgorithm) async throws -> SigningKey
    func retireKey(_ id: String) async throws
    func revokeKey(_ id: String, as reason: TrustedKey.Revocation.Reason) async throws
    /// A new key history; `key` is the root key where its private half is kept elsewhere.
    func signHistory(with key: PrivateKey?) async throws -> [UInt8]

    func settings() async throws -> Settings
    /// Returns whether the value is one that the setting takes.
    func set(_ name: SettingName, to value: String) async throws -> Bool
}
