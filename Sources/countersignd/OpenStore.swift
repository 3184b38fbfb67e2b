internal import CountersignKeys
internal import Glibc
internal import Passwords
internal import Server
internal import SigningService
internal import StorageSQLite

/// The store of the daemon, made where there is none.
struct OpenStore {
    let engine: SigningEngine
    let database: SQLiteDatabase
    let hasher: PasswordHasher
    /// Whether it was made now.
    let isNew: Bool
    /// Holds the lock that only one daemon has.
    private let lock: Int32

    init(_ settings: DaemonSettings) async throws {
        CryptoLibrary.prepare()
        var isNew = false
        if unsafe access("\(settings.data)/store.sqlite", F_OK) != 0, errno == ENOENT {
            try await Self.make(settings)
            isNew = true
        }
        let directory = try StoreDirectory(existing: settings.data)
        lock = try Self.lock(settings.data)
        let hasher = PasswordHasher(
            threads: settings.hashingThreads, queueLimit: settings.hashingQueue,
            niceness: PasswordHasher.serviceNiceness)
        (engine, database) = try await Self.engine(over: directory, hasher)
        self.hasher = hasher
        self.isNew = isNew
    }

    /// The figures of the store, for the metrics: name, help, value.
    var gauges: [(name: String, help: String, value: Int)] {
        let (commits, transactions) = database.commits
        return [
            ("countersign_password_hashes_total", "Password hashes that were computed.", engine.passwordHashes),
            ("countersign_password_queue", "Password hashes that run or wait.", engine.passwordQueue),
            ("countersign_commits_total", "Commits that changed the store.", commits),
            ("countersign_transactions_total", "Transactions; those of a commit share its flush.", transactions),
        ]
    }

    /// An engine over a directory whose database is there.
    static func engine(
        over directory: StoreDirectory, _ hasher: PasswordHasher
    ) async throws -> (SigningEngine, SQLiteDatabase) {
        let now = EngineClock.system.now
        let database = try await SQLiteDatabase.open(at: directory.databasePath, time: now())
        return (try await SigningEngine.open(directory, database: database, hasher: hasher), database)
    }

    private static func make(_ settings: DaemonSettings) async throws {
        let issuer = settings.server.origin.flatMap { $0.hasPrefix("https://") ? $0 : nil }
        try makeParents(of: settings.data)
        try await StoreDirectory.create(at: settings.data) { directory in
            let now = EngineClock.system.now
            try await SQLiteDatabase.create(at: directory.databasePath, time: now())
            let (engine, _) = try await engine(over: directory, PasswordHasher(threads: 1, queueLimit: 1))
            try await engine.setUp(StoreSetUp(issuer: issuer))
            _ = try await engine.signHistory()
            await engine.close()
        }
    }

    private static func makeParents(of path: String) throws {
        var parent = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/").dropLast() {
            parent += "/\(part)"
            guard unsafe mkdir(parent, 0o700) == 0 || [EEXIST, EISDIR, EROFS, EACCES].contains(errno) else {
                throw DaemonError(.refusedInput, "\(parent) cannot be made: \(unsafe String(cString: strerror(errno)))")
            }
        }
    }

    /// One daemon a store: what it remembers of proofs it has seen is its own.
    private static func lock(_ path: String) throws -> Int32 {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw DaemonError(.unavailable, "another countersignd runs on \(path)")
        }
        return descriptor
    }
}
