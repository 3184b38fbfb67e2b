internal import GRDB

/// A random number in a store file's header (`user_version`), by which a write-ahead log is known to belong to it.
///
/// SQLite plays back whatever valid log lies beside a file, that of another store too. Every commit here writes the tag, so
/// a foreign log brings a foreign tag, and the store is refused before anything of the log is copied into the file.
struct StoreTag: Hashable, Sendable {
    let value: Int32

    /// A new one, for a new file.
    static func random() -> StoreTag { StoreTag(value: Int32.random(in: 1...Int32.max)) }

    /// What the connection sees: the log's, where one was played back.
    static func read(on database: Database) throws -> StoreTag {
        StoreTag(value: try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0)
    }

    /// Writes the first page with the tag, in the transaction that is open or by itself.
    func write(on database: Database) throws {
        try database.cachedStatement(sql: "PRAGMA user_version = \(value)").execute()
    }
}
