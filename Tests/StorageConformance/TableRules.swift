internal import Storage

/// Rows of a table that differ from one that it takes by a few columns: which of them it takes, too.
struct TableRules {
    let database: any SQLDatabase
    let table: String
    /// A row that it takes.
    let good: [(name: String, value: SQLValue)]

    /// Expects rows that say this instead to be refused, and the good one not to be.
    func refuse(_ rows: [[(String, SQLValue)]]) async throws {
        for changes in rows {
            try await Conformance.expect(.constraint, "\(table) with \(changes)") { try await insert(changes) }
        }
        // Nothing of what was refused is left, and it was for what was changed.
        try await insert([])
    }

    /// Expects rows that say this instead to be taken. They must have names of their own.
    func take(_ rows: [[(String, SQLValue)]]) async throws {
        for changes in rows { try await insert(changes) }
    }

    /// Expects each of these columns to need a value.
    func refuseNull(_ names: [String]) async throws {
        for name in names {
            try await Conformance.expect(.constraint, "\(table) without \(name)") { try await insert([(name, .null)]) }
        }
    }

    private func insert(_ changes: [(String, SQLValue)]) async throws {
        let row = good.map { column in (column.name, changes.last { $0.0 == column.name }?.1 ?? column.value) }
        guard changes.allSatisfy({ change in good.contains { $0.name == change.0 } }) else {
            throw Conformance.Failure(description: "\(table) has no such column: \(changes)")
        }
        let places = row.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table) (\(row.map(\.0).joined(separator: ", "))) VALUES (\(places))"
        try await database.write { _ = try $0.run(sql, row.map(\.1)) }
    }
}
