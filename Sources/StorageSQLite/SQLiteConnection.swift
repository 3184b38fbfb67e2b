internal import GRDB
internal import Storage

/// A transaction that runs on a connection of GRDB's.
struct SQLiteConnection: SQLConnection {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try refusing {
            let before = database.totalChangesCount
            try PreparedStatement(sql, on: database).run(values)
            // SQLite keeps the last count where a statement, such as CREATE, has none of its own.
            return database.totalChangesCount == before ? 0 : database.changesCount
        }
    }

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        try refusing {
            let statement = try PreparedStatement(sql, on: database)
            let columns = statement.columnNames
            var rows: [SQLRow] = []
            try statement.run(values) { rows.append(SQLRow(columns: columns, values: $0)) }
            return rows
        }
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
