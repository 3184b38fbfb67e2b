import CountersignKeys
import CountersignVerifier
import Passwords
import Sessions
import SigningService
import Storage
import StorageSQLite

/// A store that is thrown away when it was measured: level 0 is allowed, and there is one relying service.
struct BenchStore: Sendable {
    let engine: SigningEngine
    private let directory: StoreDirectory

    static let service = "bench"

    /// Makes it in a directory of which nobody else has the name.
    ///
    /// - Parameter hashingThreads: how many passwords it hashes at the same time.
    init(in directory: String, _ algorithm: KeyAlgorithm, hashingThreads: Int = 1) throws {
        let path = "\(directory)/countersign-bench-\(try SecureRandom.uuid())"
        (engine, self.directory) = try waitFor {
            try await StoreDirectory.create(at: path) { draft in
                try await SQLiteDatabase.create(at: draft.databasePath, time: WallClock.milliseconds)
                let engine = try await Self.engine(over: draft)
                try await engine.setUp(StoreSetUp(algorithm: algorithm))
                _ = try await engine.set(.allowLevelZero, to: "true")
                await engine.close()
            }
            let directory = try StoreDirectory(existing: path)
            do {
                return (try await Self.engine(over: directory, hashingThreads: hashingThreads), directory)
            } catch {
                directory.remove()
                throw error
            }
        }
    }

    private static func engine(over directory: StoreDirectory, hashingThreads: Int = 1) async throws -> SigningEngine {
        let database = try await SQLiteDatabase.open(at: directory.databasePath, time: WallClock.milliseconds)
        let hasher = PasswordHasher(threads: hashingThreads, queueLimit: 16 * hashingThreads)
        return try await SigningEngine.open(directory, database: database, hasher: hasher)
    }

    /// Adds the relying service and logs it in.
    func logInService() async throws -> Session {
        guard let name = ClientName(Self.service) else { throw Failure(.unavailable, "no name for a service") }
        let added = try await engine.addClient(name, credential: .generatedSecret)
        return try await engine.logInClient(name, secret: added.secret).session
    }

    /// Adds a user with a random password.
    func addUser(_ text: String) async throws -> (UserName, SecretBytes) {
        let name = try SigningEngine.userName(text)
        let password = SecretBytes(copying: Array(try SecureRandom.uuid().utf8).span)
        _ = try await engine.addUser(name, password: password)
        return (name, password)
    }

    /// Makes sure that so many statements are on record.
    func check(count: Int) throws {
        let engine = engine
        let status = try waitFor { try await engine.status() }
        guard status.statements == count else {
            throw Failure.wrongResult("\(count) statements were signed, and \(status.statements) are on record")
        }
    }

    /// Closes it and removes its files.
    func remove() {
        let engine = engine
        try? waitFor { await engine.close() }
        directory.remove()
    }
}
