internal import Foundation
internal import GRDB
internal import Storage

/// A transaction that runs on a connection of GRDB's.
struct SQLiteConnection: SQLConnection {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try refusing {
            let before = database.totalChangesCount
            try statement(sql).execute(arguments: arguments(values))
            // SQLite keeps the last count where a statement, such as CREATE, has none of its own.
            return database.totalChangesCount == before ? 0 : database.changesCount
        }
    }

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        try refusing {
            let cursor = try Row.fetchCursor(statement(sql), arguments: arguments(values))
            let columns = cursor.columnNames
            var rows: [SQLRow] = []
            while let row = try cursor.next() {
                var values: [SQLValue] = []
                values.reserveCapacity(columns.count)
                for index in columns.indices { values.append(try value(row, index, columns[index])) }
                rows.append(SQLRow(columns: columns, values: values))
            }
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

    private func statement(_ sql: String) throws -> Statement { try database.cachedStatement(sql: sql) }

    /// By name: bound by position, `$2,$1` would be swapped silently.
    private func arguments(_ values: [SQLValue]) throws -> StatementArguments {
        var named: [String: (any DatabaseValueConvertible)?] = [:]
        named.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            named.updateValue(try bound(value), forKey: String(index + 1))
        }
        return StatementArguments(named)
    }

    private func bound(_ value: SQLValue) throws -> DatabaseValue {
        switch value {
        case .null: return .null
        case .integer(let integer): return integer.databaseValue
        case .text(let text):
            // Text ends at a NUL here, and PostgreSQL refuses it.
            guard !text.utf8.contains(0) else { throw StorageError(.constraint, "text with a NUL") }
            return text.databaseValue
        case .bytes(let bytes): return Data(bytes).databaseValue
        }
    }

    private func value(_ row: Row, _ index: Int, _ column: String) throws -> SQLValue {
        let value: DatabaseValue = row[index]
        switch value.storage {
        case .null: return .null
        case .int64(let integer): return .integer(integer)
        case .blob(let data): return .bytes([UInt8](data))
        case .double: throw StorageError(.corrupt, "column \(column) holds a fraction")
        case .string(let text):
            // GRDB repairs what is not UTF-8 and stops at a NUL: nothing that was damaged may pass as text.
            let isExact = try row.withUnsafeData(atIndex: index) { $0 == nil || $0?.elementsEqual(text.utf8) == true }
            guard isExact else { throw StorageError(.corrupt, "column \(column) does not hold UTF-8") }
            return .text(text)
        }
    }
}
