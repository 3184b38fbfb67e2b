internal import CountersignKeys
internal import CountersignVerifier
internal import Passwords
internal import Signing
internal import SigningService
internal import StorageSQLite

/// The engine in this process: level 0, everything on record, no HTTP.
public struct EngineSubject: Sendable {
    private let engine: SigningEngine
    private let user: UserName
    private let asker: Asker

    /// Makes a store at `path`, where nothing is, with one user and level 0 allowed.
    public init(newStoreAt path: String) async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 1)
        let time = EngineClock.system.now()
        try await StoreDirectory.create(at: path) { draft in
            try await SQLiteDatabase.create(at: draft.databasePath, time: time)
            let database = try await SQLiteDatabase.open(at: draft.databasePath, time: time)
            let engine = try await SigningEngine.open(draft, database: database, hasher: hasher)
            try await engine.setUp(StoreSetUp(issuer: "https://issuer.example"))
            await engine.close()
        }
        let directory = try StoreDirectory(existing: path)
        let database = try await SQLiteDatabase.open(at: directory.databasePath, time: time)
        engine = try await SigningEngine.open(directory, database: database, hasher: hasher)
        guard try await engine.set(.allowLevelZero, to: "true"), let session = UUIDText(try SecureRandom.uuid()) else {
            throw SubjectFault("level 0 cannot be allowed")
        }
        user = try SigningEngine.userName("alice")
        try await engine.addUser(user, password: nil)
        asker = Asker(session: session)
    }

    /// Signs one text and returns the statement, which is on disk then.
    public func sign(payload: [UInt8], reason: [UInt8]) async throws -> String {
        let outcome = try await engine.start(
            user: user, payload: payload, reason: reason, level: 0, type: 0, audience: "bench", asker: asker)
        guard case .signed(let result) = outcome else { throw SubjectFault("level 0 asked for a password") }
        return result.statement
    }

    /// The public keys, as a JWK set.
    public func keySet() async throws -> [UInt8] { try await engine.keySet() }

    /// How many statements the store has.
    public func statementCount() async throws -> Int { try await engine.status().statements }

    /// Closes the store.
    public func close() async { await engine.close() }
}

/// What a load program cannot go on from.
public struct SubjectFault: Error, CustomStringConvertible {
    /// What went wrong.
    public let description: String

    init(_ description: String) { self.description = description }
}
