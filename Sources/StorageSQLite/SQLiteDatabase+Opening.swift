internal import CSQLite
internal import Dispatch
internal import GRDB
internal import Glibc
internal import Storage

extension SQLiteDatabase {
    /// A connection that cannot write.
    static func openReader(_ path: String, _ settings: SQLiteSettings) throws -> DatabaseQueue {
        var configuration = configuration(settings)
        configuration.readonly = true
        return try DatabaseQueue(path: plain(path), configuration: configuration)
    }

    /// The connection that writes, with a log, and with each commit on the disk before it returns.
    static func openWriter(_ path: String, _ settings: SQLiteSettings) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: plain(path), configuration: configuration(settings))
        try queue.writeWithoutTransaction { database in
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else { throw StorageError(.io, "\(path) cannot have a write-ahead log") }
            // Here, not in the configuration: where GRDB switches the log on, it lowers this to NORMAL afterwards.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try assertDurable(database)
            // Random ids touch a page each, in each of their indexes. In KiB: enough for those of some 50,000 statements, and
            // no more: whenever a tree grew SQLite looks through all of it at the commit.
            try database.execute(sql: "PRAGMA cache_size = -8192")
            // See `LogCopy`.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
        return queue
    }

    /// Refuses a connection whose commits might not survive a loss of power.
    static func assertDurable(_ database: Database) throws {
        let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        guard level == 2 else { throw StorageError(.io, "synchronous is \(level ?? -1), not FULL") }
    }

    /// Runs `body` in one transaction on a file that nobody else has, without a log until it is done: what is only in a log
    /// is not in the file's header yet.
    static func inFile(_ path: String, _ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: plain(path), configuration: configuration(SQLiteSettings()))
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            try assertDurable(database)
            try database.inOneTransaction(.immediate) { _ in try body(database) }
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }

    /// Runs what blocks on a thread that may.
    static func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result(catching: body).mapError(StorageError.from))
            }
        }
    }

    /// A path that SQLite takes for nothing else: `file:x` would be a URI, and another file than the one that was checked.
    private static func plain(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }

    /// Asked for before each connection, and done once: nobody here asks how much memory SQLite has.
    private static let countsNoMemory: Void = countersign_count_no_memory()

    private static func configuration(_ settings: SQLiteSettings) -> Configuration {
        countsNoMemory
        var configuration = Configuration()
        // SQLite's own handler soon looks every 100 ms only, and then never finds the lock free beside a busy writer.
        let tries = settings.busyTimeout / 2
        configuration.busyMode = .callback { count in
            usleep(2_000)
            return count < tries
        }
        // A transaction is ours alone to begin and end; a failed ROLLBACK must be an error, not a trap.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            // Damaged pages are noticed where they are read, and a planted view or trigger runs nothing.
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // What is erased, such as a private key, is overwritten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }
}

extension Database {
    /// A transaction around `body`, undone where it throws.
    func inOneTransaction<T>(_ kind: TransactionKind, _ body: (any SQLConnection) throws -> T) throws -> T {
        try beginTransaction(kind)
        do {
            let result = try body(SQLiteConnection(self))
            try execute(sql: "COMMIT")
            return result
        } catch {
            if isInsideTransaction { try? execute(sql: "ROLLBACK") }
            throw error
        }
    }
}
