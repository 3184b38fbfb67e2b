internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Storage

/// One run of a statement of GRDB's cache, by SQLite's own calls: GRDB's arguments and rows, made to be kept and compared, cost
/// several times what a short statement does.
struct PreparedStatement {
    private let database: Database
    private let statement: Statement
    private var handle: OpaquePointer { unsafe statement.sqliteStatement }

    /// - Throws: SQLite's error, where the text is not one statement of its language.
    init(_ sql: String, on database: Database) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
    }

    /// Runs it to its end, or as long as somebody wants its rows.
    ///
    /// - Parameters:
    ///   - values: bound by name: by position, `$2,$1` would be swapped silently.
    ///   - row: is called with the values of each row; false: it is enough.
    /// - Throws: SQLite's error, or that of `row`; the statement can run again.
    func run(_ values: [SQLValue] = [], row: ([SQLValue]) throws -> Bool = { _ in true }) throws {
        defer {
            unsafe sqlite3_reset(handle)
            // What was bound may be a key or a hash: nothing of it stays.
            if !values.isEmpty { unsafe sqlite3_clear_bindings(handle) }
        }
        try bind(values)
        while true {
            switch unsafe sqlite3_step(handle) {
            case SQLITE_ROW: guard try row(columns()) else { return }
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    /// Runs it to its end once for each row, of which nothing is read. What the rows have in common is bound once.
    ///
    /// - Parameters:
    ///   - common: the first values.
    ///   - rows: the others.
    /// - Throws: SQLite's error for the first row that fails; those behind it are not run.
    func run(common: [SQLValue], rows: [[SQLValue]]) throws {
        defer {
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
        }
        var others: [(index: Int32, number: Int)] = []
        for (index, number) in numbers() {
            if common.indices.contains(number - 1) {
                try bind(common[number - 1], at: index)
            } else {
                others.append((index, number - common.count))
            }
        }
        for row in rows {
            for (index, number) in others { try bind(value(number, of: row), at: index) }
            let code = unsafe sqlite3_step(handle)
            guard code == SQLITE_DONE else { throw failure(code) }
            // What is bound stays.
            unsafe sqlite3_reset(handle)
        }
    }

    /// Whether it changes nothing.
    var isReadOnly: Bool { statement.isReadonly }

    /// The names of the columns.
    var columnNames: [String] { statement.columnNames }

    private func bind(_ values: [SQLValue]) throws {
        let places = unsafe sqlite3_bind_parameter_count(handle)
        for index in 0..<places { try bind(value(number(at: index + 1), of: values), at: index + 1) }
    }

    /// The value with this number, from 1.
    private func value(_ number: Int, of values: [SQLValue]) throws -> SQLValue {
        guard values.indices.contains(number - 1) else {
            throw StorageError(.io, "a statement has a place \(number) and \(values.count) values")
        }
        return values[number - 1]
    }

    /// Its places, each with the number of its value.
    private func numbers() -> [(index: Int32, number: Int)] {
        let places = unsafe sqlite3_bind_parameter_count(handle)
        return (0..<places).map { index in (index + 1, number(at: index + 1)) }
    }

    /// The number in `$12`; 0 where the name is another.
    private func number(at index: Int32) -> Int {
        let name = unsafe sqlite3_bind_parameter_name(handle, index)
        guard let name = unsafe name, unsafe name[0] == 0x24 else { return 0 }
        return unsafe Int(strtol(name + 1, nil, 10))
    }

    private func bind(_ value: SQLValue, at index: Int32) throws {
        let code = try code(binding: value, at: index)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func code(binding value: SQLValue, at index: Int32) throws -> Int32 {
        switch value {
        case .null:
            return unsafe sqlite3_bind_null(handle, index)
        case .integer(let integer):
            return unsafe sqlite3_bind_int64(handle, index, integer)
        case .text(var text):
            return try text.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return unsafe sqlite3_bind_text(handle, index, "", 0, nil) }
                // Text ends at a NUL here, and PostgreSQL refuses it.
                guard unsafe memchr(start, 0, bytes.count) == nil else {
                    throw StorageError(.constraint, "text with a NUL")
                }
                return unsafe sqlite3_bind_text64(
                    handle, index, start, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
            }
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
                    return unsafe sqlite3_bind_zeroblob(handle, index, 0)
                }
                return unsafe sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), Self.copied)
            }
        }
    }

    /// SQLITE_TRANSIENT: SQLite copies what it is given.
    private static var copied: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1 as Int, to: sqlite3_destructor_type?.self)
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
}

extension PreparedStatement {
    /// The values of the row that the statement stands on, in the order of its columns.
    ///
    /// - Throws: `StorageError.Code.corrupt` for what no column of ours holds: a fraction, text that is not UTF-8 or has a NUL.
    private func columns() throws -> [SQLValue] {
        var values: [SQLValue] = []
        let count = unsafe sqlite3_column_count(handle)
        values.reserveCapacity(Int(count))
        for index in 0..<count { values.append(try column(index)) }
        return values
    }

    private func column(_ index: Int32) throws -> SQLValue {
        switch unsafe sqlite3_column_type(handle, index) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_column_text(handle, index)
            let bytes = unsafe UnsafeBufferPointer(start: start, count: byteCount(index))
            guard let text = unsafe String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
                throw StorageError(.corrupt, "column \(columnNames[Int(index)]) does not hold UTF-8")
            }
            return .text(text)
        case SQLITE_BLOB:
            let start = unsafe sqlite3_column_blob(handle, index)
            return .bytes(unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: byteCount(index))))
        default: throw StorageError(.corrupt, "column \(columnNames[Int(index)]) holds a fraction")
        }
    }

    /// How many bytes a text or blob has.
    private func byteCount(_ index: Int32) -> Int { Int(unsafe sqlite3_column_bytes(handle, index)) }
}
