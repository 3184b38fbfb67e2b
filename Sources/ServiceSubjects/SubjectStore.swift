internal import CountersignKeys
internal import CountersignVerifier
internal import Passwords
internal import Sessions
internal import Signing
internal import SigningService
internal import Storage
internal import StorageSQLite

/// A store as the load program needs it: level 0 is allowed, one user, one relying service.
public struct SubjectStore: Sendable {
    /// The one user.
    public static let user = "alice"
    /// The user's password.
    public static let password = "correct horse battery staple"
    /// The relying service, which is the `aud` of its statements.
    public static let service = "bench"

    /// How it brings what is written to the disk.
    public enum Commits: Sendable {
        /// As the service does: what queues during one commit shares the next.
        case inGroups
        /// A plain transaction of SQLite's for each, on the caller's thread.
        case plain
        /// The same on the thread of the connection, as with groups.
        case plainAside
    }

    let engine: SigningEngine
    let database: any SQLDatabase

    /// Makes a store at `path`, where nothing is, and opens it.
    public static func make(at path: String) async throws -> SubjectStore {
        try await StoreDirectory.create(at: path) { draft in
            try await SQLiteDatabase.create(at: draft.databasePath, time: EngineClock.system.now())
            let store = try await open(draft)
            try await store.engine.setUp(StoreSetUp(issuer: "https://sign.example"))
            await store.close()
        }
        let store = try await SubjectStore(at: path)
        guard try await store.engine.set(.allowLevelZero, to: "true") else { throw SubjectFault("no level 0") }
        try await store.engine.addUser(SigningEngine.userName(user), password: secret(password))
        return store
    }

    /// Opens the store at `path`.
    public init(at path: String, commits: Commits = .inGroups) async throws {
        self = try await Self.open(StoreDirectory(existing: path), commits)
    }

    private init(_ engine: SigningEngine, _ database: any SQLDatabase) {
        self.engine = engine
        self.database = database
    }

    private static func open(_ directory: StoreDirectory, _ commits: Commits = .inGroups) async throws -> SubjectStore {
        let path = directory.databasePath
        let database: any SQLDatabase =
            switch commits {
            case .inGroups: try await SQLiteDatabase.open(at: path, time: EngineClock.system.now())
            case .plain: try PlainSQLite(at: path, writing: .caller)
            case .plainAside: try PlainSQLite(at: path, writing: .connection)
            }
        let hasher = PasswordHasher(threads: 1, queueLimit: 64)
        return SubjectStore(try await SigningEngine.open(directory, database: database, hasher: hasher), database)
    }

    /// Closes it.
    public func close() async { await engine.close() }

    /// Adds the relying service, and logs it in.
    ///
    /// - Returns: its bearer token, good for an hour.
    public func logInService() async throws -> String {
        guard let name = ClientName(Self.service) else { throw SubjectFault("no name") }
        let added = try await engine.addClient(name, credential: .generatedSecret)
        return try await engine.logInClient(name, secret: added.secret).accessToken.text
    }

    /// Enrols a device, whose session lasts as long as the load program runs.
    ///
    /// - Parameter other: a user who is added, with the same password; nil: the one who is there.
    public func enrolDevice(of other: String? = nil) async throws -> SubjectDevice {
        guard try await engine.set(.accessTokenSeconds, to: "3600") else { throw SubjectFault("no long session") }
        let user = try SigningEngine.userName(other ?? Self.user)
        if other != nil { _ = try await engine.addUser(user, password: Self.secret(Self.password)) }
        let code = try await engine.makeActivationCode(for: user).code
        let key = try PrivateKey(generating: .es256)
        let grant = try await engine.enrol(
            user: user, code: code, password: Self.secret(Self.password), deviceName: "load program",
            key: key.publicKey)
        return SubjectDevice(token: grant.accessToken.text, key: key)
    }

    /// Signs one text at level 0, in this process, and returns the statement, which is on disk then.
    public func sign(payload: [UInt8], reason: [UInt8], session: SubjectSession) async throws -> String {
        let outcome = try await engine.start(
            user: session.user, payload: payload, reason: reason, level: 0, type: 0, audience: Self.service,
            asker: session.asker)
        guard case .signed(let result) = outcome else { throw SubjectFault("level 0 asked for a password") }
        return result.statement
    }

    /// The public keys, as a JWK set.
    public func keySet() async throws -> [UInt8] { try await engine.keySet() }

    /// How many rows the store has of what a signing at level 0 leaves.
    public func counts() async throws -> (statements: Int, signed: Int, replies: Int) {
        try await database.read { connection in
            let replies = try connection.row("SELECT COUNT(*) AS n FROM replies")?.int("n") ?? 0
            return (
                try StatementRow.count(on: connection),
                try AuditRow.count(AuditRow.Filter(event: AuditEvent.signed.rawValue), on: connection), replies
            )
        }
    }

    private static func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }
}

/// Somebody who asks, in this process.
public struct SubjectSession: Sendable {
    let user: UserName
    let asker: Asker

    /// A new one.
    public init() throws {
        user = try SigningEngine.userName(SubjectStore.user)
        guard let id = UUIDText(try SecureRandom.uuid()) else { throw SubjectFault("no UUID") }
        asker = Asker(session: id)
    }
}

/// A device, with its session where it has one.
public struct SubjectDevice: Sendable {
    /// The access token; nil for a device that nobody knows.
    public let token: String?
    let key: PrivateKey

    init(token: String?, key: PrivateKey) {
        self.token = token
        self.key = key
    }

    /// A device that nobody knows.
    public init() throws {
        try self.init(token: nil, key: PrivateKey(generating: .es256))
    }

    /// The same device without its session.
    public var loggedOut: SubjectDevice { SubjectDevice(token: nil, key: key) }

    /// The header fields that prove who asks (RFC 9449).
    ///
    /// - Parameters:
    ///   - nonce: the newest that the service gave.
    ///   - milliseconds: now, since 1970.
    public func authorization(
        method: String, url: String, nonce: String?, at milliseconds: Int64
    ) throws -> [String] {
        let proof = try DPoPProof.sign(
            method: method, url: url, accessToken: token, nonce: nonce, at: milliseconds, with: key)
        return (token.map { ["Authorization: DPoP \($0)"] } ?? []) + ["DPoP: \(proof)"]
    }
}

/// What a load program cannot go on from.
public struct SubjectFault: Error, CustomStringConvertible {
    /// What went wrong.
    public let description: String

    init(_ description: String) { self.description = description }
}
