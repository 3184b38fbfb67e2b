import Storage
import StorageSQLite

/// A connection that asks the engine how it would run each statement, before it runs it.
struct ExplainedConnection: SQLConnection {
    /// What was said of the statements that ran, each as one text.
    final class Plans {
        fileprivate(set) var texts: [String] = []
    }

    let base: any SQLConnection
    let plans = Plans()

    func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try explain(sql, values)
        return try base.run(sql, values)
    }

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        try explain(sql, values)
        return try base.rows(sql, values)
    }

    private func explain(_ sql: String, _ values: [SQLValue]) throws {
        let steps = try base.rows("EXPLAIN QUERY PLAN " + sql, values).map { try $0.text("detail") }
        plans.texts.append(steps.joined(separator: "; "))
    }
}

extension SQLiteDatabase {
    /// How the engine runs the statements of a closure, which are the very ones of the service.
    func plans(_ body: @escaping @Sendable (any SQLConnection) throws -> Void) async throws -> [String] {
        try await write { connection in
            let explained = ExplainedConnection(base: connection)
            try body(explained)
            return explained.plans.texts
        }
    }
}
