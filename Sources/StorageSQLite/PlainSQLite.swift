internal import GRDB
package import Storage

/// A store in one file where each write is a plain transaction, and no group. As durable as `SQLiteDatabase`, and what its group commit is
/// measured beside. Reading blocks whoever calls it.
package final class PlainSQLite: SQLDatabase {
    /// Where a write runs.
    package enum Place: Sendable {
        /// On the caller's thread, which it blocks, whatever else that thread has to do.
        case caller
        /// On the connection's thread, as with `SQLiteDatabase`.
        case connection
    }

    private let queue: DatabaseQueue
    private let place: Place

    /// Opens the store at `path`, which has the newest schema.
    package init(at path: String, writing place: Place) throws {
        self.place = place
        let settings = SQLiteSettings()
        queue = try SQLiteDatabase.openWriter(path, settings)
        // As long a log as that of the other, which the file system need not make longer either from then on.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(settings.logPages)") }
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try run(.deferred, body)
    }

    package func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        guard case .connection = place else { return try run(.immediate, body) }
        return try await withCheckedThrowingContinuation { continuation in
            queue.asyncWriteWithoutTransaction { database in
                continuation.resume(with: Result { try database.inOneTransaction(.immediate, body) })
            }
        }
    }

    private func run<T>(_ kind: Database.TransactionKind, _ body: (any SQLConnection) throws -> T) throws -> T {
        try queue.writeWithoutTransaction { try $0.inOneTransaction(kind, body) }
    }

    package func backup(to path: String) async throws {
        throw StorageError(.io, "what is measured is not copied")
    }

    package func close() async { try? queue.close() }
}
