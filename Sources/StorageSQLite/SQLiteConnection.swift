internal import GRDB
internal import Glibc
internal import Storage

/// A transaction that runs on a connection of GRDB's.
final class SQLiteConnection: SQLConnection {
    /// What the jobs of one commit have asked and may share.
    final class Memo {
        fileprivate struct Question: Hashable {
            let sql: String
            let values: [SQLValue]

            /// By bytes, as SQLite compares: Swift's own comparison holds other spellings for the same text.
            static func == (one: Self, other: Self) -> Bool {
                one.sql.hasSameBytes(as: other.sql)
                    && one.values.elementsEqual(other.values) { one, other in
                        guard case .text(let one) = one, case .text(let other) = other else { return one == other }
                        return one.hasSameBytes(as: other)
                    }
            }

            /// The length of the text tells nearly all questions apart.
            func hash(into hasher: inout Hasher) {
                hasher.combine(sql.utf8.count)
                hasher.combine(values)
            }
        }

        /// An answer of `steady`. An object, which is cast to its type in no time.
        fileprivate final class Kept<Answer> {
            var answer: Answer

            init(_ answer: Answer) { self.answer = answer }
        }

        fileprivate var rows: [Question: [SQLRow]] = [:]
        fileprivate var answers: [ObjectIdentifier: AnyObject] = [:]

        /// Forgets, since something was written or undone.
        func forget() {
            if !rows.isEmpty { rows = [:] }
            if !answers.isEmpty { answers = [:] }
        }
    }

    private let database: Database
    private let memo: Memo?
    /// Whether a statement ran that may have changed something.
    private(set) var hasWritten = false

    init(_ database: Database, _ memo: Memo? = nil) {
        self.database = database
        self.memo = memo
    }

    func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try refusing {
            try count(of: statement(sql), values)
        }
    }

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        try refusing { try rows(of: statement(sql), values) }
    }

    func rows(_ sql: String, _ values: [SQLValue], while take: (SQLRow) throws -> Bool) throws {
        try refusing {
            let statement = try statement(sql)
            try statement.run(values) { try take(SQLRow(columns: statement.columnNames, values: $0)) }
        }
    }

    func steadyRows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        guard let memo else { return try rows(sql, values) }
        let question = Memo.Question(sql: sql, values: values)
        if let rows = memo.rows[question] { return rows }
        let rows = try rows(sql, values)
        memo.rows[question] = rows
        return rows
    }

    func steady<Answer: Sendable>(_ ask: () throws -> Answer) throws -> Answer {
        guard let memo else { return try ask() }
        let question = ObjectIdentifier(Answer.self)
        if let kept = memo.answers[question] as? Memo.Kept<Answer> { return kept.answer }
        let answer = try ask()
        memo.answers[question] = Memo.Kept(answer)
        return answer
    }

    func amend<Answer: Sendable>(_ change: (inout Answer) -> Void) {
        guard let kept = memo?.answers[ObjectIdentifier(Answer.self)] as? Memo.Kept<Answer> else { return }
        change(&kept.answer)
    }

    func append(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try refusing {
            hasWritten = true
            return try count(of: PreparedStatement(sql, on: database), values)
        }
    }

    func append(_ sql: String, common: [SQLValue], rows: [[SQLValue]]) throws {
        try refusing {
            hasWritten = true
            try PreparedStatement(sql, on: database).run(common: common, rows: rows)
        }
    }

    /// Runs it, and tells how many rows it changed.
    private func count(of statement: PreparedStatement, _ values: [SQLValue]) throws -> Int {
        let before = database.totalChangesCount
        try statement.run(values)
        // SQLite keeps the last count where a statement, such as CREATE, has none of its own.
        return database.totalChangesCount == before ? 0 : database.changesCount
    }

    private func rows(of statement: PreparedStatement, _ values: [SQLValue]) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        // The names after the first step: a connection that was open when the schema changed learns of it then.
        try statement.run(values) {
            rows.append(SQLRow(columns: statement.columnNames, values: $0))
            return true
        }
        return rows
    }

    private func statement(_ sql: String) throws -> PreparedStatement {
        let statement = try PreparedStatement(sql, on: database)
        if !statement.isReadOnly {
            hasWritten = true
            memo?.forget()
        }
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

extension String {
    /// Whether both are the same bytes of UTF-8.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                guard let one = one.baseAddress, let start = other.baseAddress else { return true }
                return unsafe memcmp(one, start, other.count) == 0
            }
        }
        return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }
}
