internal import GRDB
internal import Storage

extension StorageError {
    /// What an engine's error means. An error of the closure itself passes unchanged.
    static func from(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return StorageError(code(of: error.resultCode), text(of: error))
    }

    private static func code(of result: ResultCode) -> Code {
        switch result {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .busy
        case .SQLITE_FULL: .full
        // The file is sound, or it would not be open: what it lacks is a table, or SQL's own header.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR: .corrupt
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY: .unreadable
        case .SQLITE_CONSTRAINT: .constraint
        default: .io
        }
    }

    /// SQLite's own words, which name tables and columns but no values. GRDB's description would add the statement.
    private static func text(of error: DatabaseError) -> String {
        let number = "SQLite \(error.extendedResultCode.rawValue)"
        return error.message.map { "\($0) (\(number))" } ?? number
    }
}
