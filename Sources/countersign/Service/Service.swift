import CountersignKeys
import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage
import Wire

/// What commands work with: a store on this machine, or a service on the network that keeps one. A command says once
/// what it does, and prints the same of both: the messages of the API.
///
/// Every method throws what `Failure.init(explaining:)` knows: a `Refusal` for a "no" of the rules, whoever said it.
protocol Service: Signatory, Administration, DeviceKeeping, GroupKeeping, Sendable {
    /// Where it is, for people: the directory of the store, the address of the service.
    var location: Location { get }

    /// Finishes what runs and lets go of the store or the connection. Twice is harmless.
    func close() async
}

/// Whom a command asks for signatures and for what was signed.
protocol Signatory {
    /// Whose signatures it gives, where it knows by itself: the user of a person's session.
    var user: UserName? { get }

    /// Refuses what cannot come to a signature, before anybody is asked for anything.
    func check(user: UserName, level: Int) throws(Failure)

    /// Starts a signing. One that was started under the same key is found again, as it stands.
    func start(
        user: UserName, payloads: Payloads, reason: [UInt8], level: Int, type: Int, audience: String?, once key: String?
    ) async throws -> SigningOutcome

    /// Answers with a password. A wrong one leads to the next challenge while attempts are left.
    func answer(_ challenge: Challenge, with password: SecretBytes) async throws -> SigningOutcome

    /// Ends the open signing of this session, if there is one.
    func resetOwn() async throws

    /// Ends the open signing with this id. Returns whether there was one.
    func reset(ceremony: UUIDText) async throws -> Bool

    /// Ends all open signings, or those of one user. Returns how many there were; nil where that is not known.
    func resetAll(of user: UserName?) async throws -> Int?

    /// A statement by its signature id, or nil.
    func statement(_ id: UUIDText) async throws -> StatementMessage?

    /// What a ceremony led to: no statement, one, or those of a batch in their order.
    func statements(ofCeremony id: UUIDText) async throws -> [StatementMessage]

    /// A page of what was signed, newest first.
    func statements(_ filter: StatementRow.Filter, _ page: Page) async throws -> [StatementMessage]

    /// The JWKS with every key that signs, signed or will sign, without a newline.
    func keySet() async throws -> [UInt8]

    /// The keys that verifiers may trust: those for statements that are not compromised.
    func trustedKeys() async throws -> [PublicKey]

    /// The key that signs key histories; nil where there is none.
    func rootKey() async throws -> RootKey?

    /// A key history. `key` is the root key, where its private half is kept elsewhere.
    func keyHistory(signedBy key: PrivateKey?) async throws -> [UInt8]
}

/// The key that signs key histories.
struct RootKey {
    /// Its thumbprint (RFC 7638).
    let id: String
    let algorithm: KeyAlgorithm
    /// Whether its private half is where the store is.
    let signs: Bool
}

/// Where a service is.
enum Location {
    case store(String)
    case url(String)

    /// The directory or the address.
    var text: String {
        switch self {
        case .store(let path): path
        case .url(let url): url
        }
    }

    /// What it is: the label of sheets, the member of JSON.
    var kind: StaticString {
        switch self {
        case .store: "store"
        case .url: "service"
        }
    }
}

/// What the operator does; of sessions, what each person does with their own.
protocol Administration {
    /// The live sessions of a user, newest first. nil: one's own.
    func sessions(of user: UserName?) async throws -> [SessionMessage]
    func endSession(_ id: UUIDText) async throws
    /// Ends all sessions of a user. Returns how many there were; nil where that is not known.
    func endSessions(of user: UserName) async throws -> Int?

    func clients() async throws -> [ClientMessage]
    /// Adds a relying service; without a key, a secret is made for it, which is in the answer and nowhere else.
    func addClient(_ name: ClientName, key: PublicKey?) async throws -> ClientMessage
    func lockClient(_ name: ClientName) async throws
    func unlockClient(_ name: ClientName) async throws

    func status() async throws -> StatusMessage
    /// What happened, newest first, as it is read. `each` returns whether more is wanted.
    func audit(_ filter: AuditRow.Filter, each: @escaping @Sendable (AuditMessage) -> Bool) async throws

    /// A page of what was to be carried to the webhook and to devices, newest first.
    func deliveries(_ filter: OutboxRow.Filter, _ page: Page) async throws -> [DeliveryMessage]

    func users() async throws -> [UserMessage]
    /// Whether the operator sets passwords; else each person sets their own, when they enrol.
    var takesPasswords: Bool { get }
    /// Adds a user; without a password, they set it when they enrol.
    func addUser(_ name: UserName, password: SecretBytes?) async throws
    func setPassword(_ password: SecretBytes, of name: UserName) async throws
    /// Takes a user's password away, and ends their sessions.
    func clearPassword(of name: UserName) async throws
    /// Makes an activation code, with which a user enrols one device.
    func makeActivationCode(for name: UserName) async throws -> ActivationCodeMessage
    func lock(_ name: UserName) async throws
    func unlock(_ name: UserName) async throws

    func keys() async throws -> [KeyMessage]
    /// Makes a key and returns its id.
    func createKey(_ algorithm: KeyAlgorithm) async throws -> String
    /// Lets another key sign and returns its id.
    func rotateKeys(to id: String?, algorithm: KeyAlgorithm?) async throws -> String
    func retireKey(_ id: String) async throws
    func revokeKey(_ id: String, as reason: TrustedKey.Revocation.Reason) async throws

    func settings() async throws -> [SettingMessage]
    /// Returns whether the value is one that the setting takes.
    func set(_ name: SettingName, to value: String) async throws -> Bool
}
