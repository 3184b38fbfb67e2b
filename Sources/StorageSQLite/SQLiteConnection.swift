internal import GRDB
internal import Storage

/// A transaction that runs on a connection of GRDB's.
final class SQLiteConnection: SQLConnection {
    private let database: Database
    /// Whether a statement ran that may have changed something.
    private(set) var hasWritten = false

    init(_ database: Database) { self.database = database }

    func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try refusing {
            let before = database.totalChangesCount
            try statement(sql).run(values)
            // SQLite keeps the last count where a statement, such as CREATE, has none of its own.
            return database.totalChangesCount == before ? 0 : database.changesCount
        }
    }

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        try refusing {
            let statement = try statement(sql)
            let columns = statement.columnNames
            var rows: [SQLRow] = []
            try statement.run(values) { rows.append(SQLRow(columns: columns, values: $0)) }
            return rows
        }
    }

    private func statement(_ sql: String) throws -> PreparedStatement {
        let statement = try PreparedStatement(sql, on: database)
        if !statement.isReadOnly { hasWritten = true }
        return statement
    }

    /// Where the disk is full SQLite may end the whole transaction. Had a closure caught that and gone on, each of its
    /// later statements would be committed by itself.
    private func refusing<R>(_ body: () throws -> R) throws -> R {
        guard database.isInsideTransaction else { throw StorageError(.io, "the transaction was rolled back") }
        do {
            return try body()
        } catch {
            throw StorageError.from(error)
        }
    }
}
