/// The `WHERE` of a list with filters: only the filters that are set, each with its value as a parameter.
struct Conditions {
    private var clauses: [String] = []
    private(set) var values: [SQLValue] = []

    /// Adds `column operation value`, where there is a value.
    mutating func add(_ column: StaticString, _ operation: StaticString, _ value: SQLValue) {
        guard value != .null else { return }
        values.append(value)
        clauses.append("\(column) \(operation) $\(values.count)")
    }

    /// Adds a condition whose value, where there is one, stands at several places.
    mutating func add(_ value: SQLValue, _ clause: (_ place: String) -> String) {
        guard value != .null else { return }
        values.append(value)
        clauses.append(clause("$\(values.count)"))
    }

    /// Adds a condition without a value.
    mutating func add(_ clause: StaticString) { clauses.append("\(clause)") }

    /// Adds a search for `needle` anywhere in a folded column.
    mutating func add(_ column: StaticString, contains needle: FoldedText?) {
        guard let needle else { return }
        values.append(.text("%" + needle.escapedForLike + "%"))
        clauses.append("\(column) LIKE $\(values.count) ESCAPE '!'")
    }

    /// The clause, or nothing.
    var sql: String { clauses.isEmpty ? "" : " WHERE " + clauses.joined(separator: " AND ") }

    /// The clause that picks one page, whose values follow the others.
    ///
    /// - Parameter ahead: how many more are looked at, to learn whether there are any.
    mutating func page(_ page: Page, ahead: Int = 0) -> String {
        values.append(.integer(Int64(page.count + ahead)))
        values.append(.integer(Int64(page.startIndex - 1)))
        return " LIMIT $\(values.count - 1) OFFSET $\(values.count)"
    }
}
