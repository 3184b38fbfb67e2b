internal import Dispatch
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Copies the log into the file when it has grown long (a checkpoint), beside the writer: SQLite's own way does it within a commit, for
/// which everybody would wait. Only the little that was written meanwhile is left to the writer; then the log starts again from its
/// beginning.
final class LogCopy: Sendable {
    /// So many pages, at least, come between two tries of which the first did not make the log start again.
    private static let pause = 1_000

    private enum Stage {
        case waiting(until: Int)
        /// Beside the writer.
        case copying
        /// What is left is the writer's.
        case rest
    }

    private let limit: Int
    private let open: @Sendable () throws -> DatabaseQueue
    /// How many pages the log had after the last commit, whoever wrote them.
    private let pages = Atomic<Int>(0)
    private let stage: Mutex<Stage>
    private let queue = DispatchQueue(label: "log")
    /// Opened when it is needed: most processes write little.
    private let connection = Mutex<DatabaseQueue?>(nil)

    /// - Parameters:
    ///   - limit: with how many pages a log is long.
    ///   - open: opens a connection that may write.
    init(limit: Int, _ open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.limit = limit
        self.open = open
        stage = Mutex(.waiting(until: limit))
    }

    /// Looks at the commits of a connection, which is to be closed before this is given up.
    func watch(_ database: Database) {
        guard let handle = unsafe database.sqliteConnection else { return }
        unsafe sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                if let context = unsafe context {
                    let watcher = unsafe Unmanaged<LogCopy>.fromOpaque(context).takeUnretainedValue()
                    watcher.pages.store(Int(pages), ordering: .relaxed)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Does what is due. The writer's, after each commit.
    func committed(on database: Database) {
        let pages = pages.load(ordering: .relaxed)
        let isDue = stage.withLock { stage in
            switch stage {
            case .copying: return false
            case .rest: return true
            case .waiting where pages < limit: stage = .waiting(until: limit)
            case .waiting(let goal) where pages < goal: break
            case .waiting:
                stage = .copying
                queue.async { self.copyAside() }
            }
            return false
        }
        guard isDue else { return }
        Self.copy(on: database)
        stage.withLock { $0 = .waiting(until: pages + Self.pause) }
    }

    /// Waits until it is done, and closes. The writer is to be closed after it.
    func close() {
        queue.sync {
            connection.withLock { connection in
                try? connection?.close()
                connection = nil
            }
        }
    }

    private func copyAside() {
        connection.withLock { connection in
            if connection == nil { connection = try? open() }
            // The second time it is what was written during the first. Without a connection the writer copies all.
            connection?.writeWithoutTransaction { database in
                for _ in 1...2 { Self.copy(on: database) }
            }
        }
        stage.withLock { $0 = .rest }
    }

    /// Copies what no reader needs in the log. Where that cannot be done, as on a full disk or beside another process that does it, the log
    /// goes on.
    private static func copy(on database: Database) { _ = try? database.checkpoint(.passive) }
}
