/// A database that runs the SQL of this module: SQLite in a file, or a server.
///
/// An engine conforms to this and passes `StorageConformance`. Nothing above knows which engine it has.
package protocol SQLDatabase: Sendable {
    /// Runs `body` on one consistent state of the database, without changing it.
    ///
    /// Never blocks the cooperative pool.
    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T

    /// Runs `body` in a transaction and returns once it is on disk; what it did is undone where it throws.
    ///
    /// `body` **may run again**, so it must have no effect but on the connection. Jobs that queue while a commit runs
    /// share the next one, each with a savepoint of its own: one that throws takes none of the others with it. Where
    /// the commit itself fails all of them fail. A task that is cancelled meanwhile still learns what happened.
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T

    /// Copies the whole database, as of one moment, to a new file that only its owner may read.
    ///
    /// - Throws: `StorageError.Code.exists` where there is a file already; it is never overwritten.
    func backup(to path: String) async throws

    /// Finishes what runs and closes. Later calls are refused. Closing twice is harmless.
    func close() async
}

/// One transaction's view of the database. Valid only inside the closure that was given it.
package protocol SQLConnection {
    /// Runs a statement and returns how many rows it inserted, changed or deleted.
    ///
    /// - Parameter values: `$1` is the first of them, wherever it stands in the text.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue]) throws -> Int

    /// Runs a query (or a statement with `RETURNING`) and returns its rows in order.
    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow]

    /// Runs a query, and hands over its rows in order until `take` says that it wants no more: the others are not read.
    func rows(_ sql: String, _ values: [SQLValue], while take: (SQLRow) throws -> Bool) throws

    /// Runs a query of rows that hardly ever change: settings, keys, sessions. The jobs that share a commit may share its answer,
    /// until one of them runs any statement that writes but `append`.
    func steadyRows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow]

    /// What `ask` makes of such rows, shared in the same way. The type of the answer stands for the question.
    func steady<Answer: Sendable>(_ ask: () throws -> Answer) throws -> Answer

    /// Runs a statement that changes the answer of no steady query, or not so that it matters, and returns how many rows it
    /// inserted, changed or deleted.
    @discardableResult
    func append(_ sql: String, _ values: [SQLValue]) throws -> Int

    /// The same once for each of many rows.
    ///
    /// - Parameters:
    ///   - common: the first values, the same for all.
    ///   - rows: the others, for each row as many.
    func append(_ sql: String, common: [SQLValue], rows: [[SQLValue]]) throws

    /// Brings an answer of `steady` up to date with what was appended, where it is shared.
    func amend<Answer: Sendable>(_ change: (inout Answer) -> Void)
}

extension SQLConnection {
    package func rows(_ sql: String, _ values: [SQLValue], while take: (SQLRow) throws -> Bool) throws {
        for row in try rows(sql, values) where try !take(row) { return }
    }

    package func steadyRows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] { try rows(sql, values) }

    package func steady<Answer: Sendable>(_ ask: () throws -> Answer) throws -> Answer { try ask() }

    package func amend<Answer: Sendable>(_ change: (inout Answer) -> Void) {}

    @discardableResult
    package func append(_ sql: String, _ values: [SQLValue]) throws -> Int { try run(sql, values) }

    package func append(_ sql: String, common: [SQLValue], rows: [[SQLValue]]) throws {
        for row in rows { try append(sql, common + row) }
    }

    /// Runs a statement without values.
    @discardableResult
    package func run(_ sql: String) throws -> Int { try run(sql, []) }

    /// Runs a query without values.
    package func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, []) }

    /// The one row of a query, or nil where there is none.
    ///
    /// - Throws: `StorageError.Code.corrupt` where there are several: the query is by a key.
    package func row(_ sql: String, _ values: [SQLValue] = []) throws -> SQLRow? {
        let rows = try rows(sql, values)
        guard rows.count <= 1 else { throw StorageError(.corrupt, "\(rows.count) rows where one was expected") }
        return rows.first
    }

    /// Runs a statement that changes exactly one row if nobody else was faster.
    ///
    /// - Throws: `StorageError.Code.conflict` where it changed none.
    package func runOnce(_ sql: String, _ values: [SQLValue], _ what: @autoclosure () -> String) throws {
        guard try run(sql, values) == 1 else {
            throw StorageError(.conflict, "\(what()) was changed by somebody else meanwhile")
        }
    }
}
