internal import GRDB
package import Storage
internal import Synchronization

/// A store in one file: SQLite with a write-ahead log, each commit on the disk before it is answered for.
///
/// Several processes may use one file at once.
package final class SQLiteDatabase: SQLDatabase {
    private let path: String
    private let settings: SQLiteSettings
    private let writer: GroupCommit
    private let readers: ReaderPool
    private let claim: Mutex<StoreFile.Claim?>

    /// Makes a new store at `path`, mode 0600, with the newest schema. Either all of it is there afterwards or nothing.
    ///
    /// - Parameters:
    ///   - time: now, in milliseconds since 1970.
    ///   - migrations: those that the program knows.
    ///   - fill: writes what a store has from the beginning, in the transaction that makes the tables.
    /// - Throws: `StorageError.Code.exists` where there is something at `path`; what `fill` throws.
    package static func create(
        at path: String, time: Int64, migrations: [Schema.Migration] = Schema.migrations,
        fill: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) async throws {
        try await blocking {
            try NewFile.make(at: path) { draft in
                try inFile(draft) { database in
                    try database.execute(sql: "PRAGMA application_id = \(StoreFile.applicationID)")
                    try StoreTag.random().write(on: database)
                    let connection = SQLiteConnection(database)
                    try Schema.begin(on: connection)
                    try Schema.migrate(connection, at: time, migrations: migrations)
                    try fill(connection)
                }
            }
        }
    }

    /// Opens the store at `path`, and brings an older one to the newest schema. Never makes one.
    ///
    /// - Parameters:
    ///   - time: now, in milliseconds since 1970.
    ///   - migrations: those that the program knows.
    /// - Throws: `StorageError`: `unreadable`, `notAStore`, `corrupt`, `newerSchema`, `busy`, `full`, `io`. What is not a
    ///   sound store is left as it was.
    package static func open(
        at path: String, settings: SQLiteSettings = SQLiteSettings(), time: Int64,
        migrations: [Schema.Migration] = Schema.migrations
    ) async throws -> SQLiteDatabase {
        try await blocking { try SQLiteDatabase(path, settings, time: time, migrations: migrations) }
    }

    private init(
        _ path: String, _ settings: SQLiteSettings, time: Int64, migrations: [Schema.Migration]
    ) throws {
        let claim = try StoreFile.Claim.check(path)
        // The reader looks first: it cannot change anything, and until it is content nothing may. Where there is no log to be played back,
        // the writer changes nothing either.
        let isShared = try settings.sharesConnection && StoreFile.isAtRest(path)
        let first = try isShared ? Self.openWriter(path, settings) : Self.openReader(path, settings)
        let (tag, version) = try first.writeWithoutTransaction { database in
            let tag = try StoreTag.read(on: database)
            guard claim.tag == nil || claim.tag == tag else {
                throw StorageError(.corrupt, "\(path)-wal belongs to another store; keep both and restore a backup")
            }
            let version = try database.inOneTransaction(.deferred) {
                try Schema.version(on: $0, migrations: migrations)
            }
            return (tag, version)
        }
        let writer = try isShared ? first : Self.openWriter(path, settings)
        if version < Schema.newest(of: migrations) {
            try writer.writeWithoutTransaction { database in
                try database.inOneTransaction(.immediate) { try Schema.migrate($0, at: time, migrations: migrations) }
            }
        }
        self.path = path
        self.settings = settings
        let log = LogCopy(limit: settings.logPages) { try Self.openWriter(path, settings) }
        self.writer = GroupCommit(writer, tag: tag, log: log)
        readers = ReaderPool(first: first, isBorrowed: isShared, limit: isShared ? 1 : settings.readers) {
            try Self.openReader(path, settings)
        }
        self.claim = Mutex(claim)
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await readers.read(body)
    }

    package func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { writer.submit(PendingWrite(body, $0)) }
    }

    /// How many commits changed something since it was opened, and how many transactions they held: those of a group share one.
    package var commits: (count: Int, transactions: Int) {
        let (count, transactions) = writer.figures
        return (count, transactions)
    }

    package func backup(to path: String) async throws {
        let (source, settings) = (self.path, self.settings)
        try await Self.blocking {
            try NewFile.make(at: path) { draft in
                // A connection of its own: a long copy holds up no reader.
                let reader = try Self.openReader(source, settings)
                defer { try? reader.close() }
                try reader.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
                // A store of its own from here on: a log of the original must not be played back into it.
                try Self.inFile(draft) { try StoreTag.random().write(on: $0) }
            }
        }
    }

    /// Makes a store at `path` from a backup that nobody has open. It is read as a file, so it may lie where nothing can be written.
    ///
    /// - Throws: `StorageError.Code.exists` where there is something at `path`; `busy` where the backup is in use; `corrupt` with
    ///   SQLite's first finding, after every page was read.
    package static func restore(from backup: String, to path: String) async throws {
        try await blocking {
            try StoreFile.checkAtRest(backup)
            try NewFile.make(at: path) { draft in
                try NewFile.copy(backup, to: draft)
                _ = try StoreFile.Claim.check(draft)
                let reader = try openReader(draft, SQLiteSettings())
                defer { try? reader.close() }
                try reader.writeWithoutTransaction { try check($0) }
            }
        }
    }

    /// Reads every page and says what is wrong.
    ///
    /// - Throws: `StorageError.Code.corrupt` with SQLite's first finding.
    package func check() async throws {
        let (source, settings) = (self.path, self.settings)
        try await Self.blocking {
            let reader = try Self.openReader(source, settings)
            defer { try? reader.close() }
            try reader.writeWithoutTransaction { try Self.check($0) }
        }
    }

    private static func check(_ database: Database) throws {
        let finding = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        guard finding == "ok" else { throw StorageError(.corrupt, finding ?? "no answer") }
        let orphan = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check")
        guard orphan == nil else { throw StorageError(.corrupt, "a row names another that is not there") }
    }

    package func close() async {
        let (readers, writer) = (self.readers, self.writer)
        try? await Self.blocking {
            readers.close()
            // Last: closing the last connection of all copies the log into the file, which a reader cannot.
            writer.close()
        }
        claim.withLock { $0 = nil }
    }
}
