internal import Logging
internal import Passwords
internal import Server
internal import SigningService
internal import Storage
internal import Synchronization

/// The same server and the same engine over a database that remembers what it was asked and writes nothing: what is left of a
/// request when the record costs nothing. Only the load program can compose this; no setting of the service does.
public enum RecordlessServer {
    /// Serves until the process ends.
    ///
    /// - Parameters:
    ///   - path: the store's directory. It is read, and changed by nobody.
    ///   - onListening: is told the port.
    public static func run(storeAt path: String, onListening: @escaping @Sendable (Int) -> Void) async throws {
        let store = try await SubjectStore(at: path)
        let engine = try await SigningEngine.open(
            StoreDirectory(existing: path), database: RememberingDatabase(store.database),
            hasher: PasswordHasher(threads: 1, queueLimit: 1))
        var settings = ServerSettings()
        settings.port = 0
        var logger = Logger(label: "recordless") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let server = try SigningServer(engine: engine, settings: settings, logger: logger) { onListening($0.port) }
        try await server.run()
    }
}

/// A database that asks another for the rows of each query once, whatever its values, and drops what is written. Transactions run where
/// they are called.
final class RememberingDatabase: SQLDatabase {
    private let source: any SQLDatabase
    private let known = Mutex<[String: [SQLRow]]>([:])

    init(_ source: any SQLDatabase) { self.source = source }

    private struct Unknown: Error {
        let sql: String
        let values: [SQLValue]
    }

    private struct Memory: SQLConnection {
        let known: [String: [SQLRow]]

        func run(_ sql: String, _ values: [SQLValue]) -> Int { 1 }

        func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
            if let rows = known[sql] { return rows }
            throw Unknown(sql: sql, values: values)
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        while true {
            do {
                return try body(Memory(known: known.withLock { $0 }))
            } catch let question as Unknown {
                let isQuery = question.sql.hasPrefix("SELECT")
                let rows =
                    isQuery ? try await source.read { try $0.rows(question.sql, question.values) } : [Self.written]
                known.withLock { $0[question.sql] = rows }
            }
        }
    }

    /// What a statement says that gives back what it wrote: the audit's place.
    private static let written = SQLRow(columns: ["seq"], values: [.integer(1)])

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await read(body)
    }

    func backup(to path: String) async throws { throw SubjectFault("there is no record") }

    func close() async {}
}
