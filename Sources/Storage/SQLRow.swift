/// One row of an answer. Its getters refuse what the schema does not allow, so that a damaged store is noticed.
package struct SQLRow: Sendable {
    private let columns: [String]
    private let values: [SQLValue]

    /// - Parameters:
    ///   - columns: the names, shared by all rows of an answer.
    ///   - values: as many values, in the same order.
    package init(columns: [String], values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column.
    package func value(_ column: String) throws -> SQLValue {
        guard let index = columns.firstIndex(of: column), index < values.count else {
            throw StorageError(.corrupt, "there is no column \(column)")
        }
        return values[index]
    }

    /// Text that may be missing.
    package func optionalText(_ column: String) throws -> String? {
        switch try value(column) {
        case .null: nil
        case .text(let text): text
        default: throw unexpected(column, "text")
        }
    }

    /// A number that may be missing.
    package func optionalInteger(_ column: String) throws -> Int64? {
        switch try value(column) {
        case .null: nil
        case .integer(let integer): integer
        default: throw unexpected(column, "a number")
        }
    }

    /// Bytes that may be missing.
    package func optionalBytes(_ column: String) throws -> [UInt8]? {
        switch try value(column) {
        case .null: nil
        case .bytes(let bytes): bytes
        default: throw unexpected(column, "bytes")
        }
    }

    /// Text.
    package func text(_ column: String) throws -> String {
        guard let text = try optionalText(column) else { throw unexpected(column, "text") }
        return text
    }

    /// A number.
    package func integer(_ column: String) throws -> Int64 {
        guard let integer = try optionalInteger(column) else { throw unexpected(column, "a number") }
        return integer
    }

    /// A number that fits `Int`.
    package func int(_ column: String) throws -> Int {
        guard let int = Int(exactly: try integer(column)) else { throw unexpected(column, "a smaller number") }
        return int
    }

    /// A number of things: one more can always be counted.
    package func count(_ column: String) throws -> Int {
        guard let int = Int(exactly: try integer(column)), (0...Int(Int32.max)).contains(int) else {
            throw unexpected(column, "a number of things")
        }
        return int
    }

    /// A number that fits `Int`, or may be missing.
    package func optionalInt(_ column: String) throws -> Int? {
        try optionalInteger(column) == nil ? nil : int(column)
    }

    /// Bytes.
    package func bytes(_ column: String) throws -> [UInt8] {
        guard let bytes = try optionalBytes(column) else { throw unexpected(column, "bytes") }
        return bytes
    }

    /// 0 or 1.
    package func flag(_ column: String) throws -> Bool {
        switch try integer(column) {
        case 0: false
        case 1: true
        default: throw unexpected(column, "0 or 1")
        }
    }

    /// One of a closed list of words.
    package func word<Word: RawRepresentable<String>>(_ column: String, _: Word.Type = Word.self) throws -> Word {
        guard let word = Word(rawValue: try text(column)) else { throw unexpected(column, "a known word") }
        return word
    }

    /// One of a closed list of words, or missing.
    package func optionalWord<Word: RawRepresentable<String>>(
        _ column: String, _: Word.Type = Word.self
    ) throws -> Word? {
        try optionalText(column) == nil ? nil : word(column)
    }

    /// The value itself is left out of the text: it may be what nobody should read.
    private func unexpected(_ column: String, _ expected: String) -> StorageError {
        StorageError(.corrupt, "column \(column) does not hold \(expected)")
    }
}
