internal import Dispatch
internal import GRDB
internal import Storage
internal import Synchronization

/// Connections that only read, each with a thread of its own. The first is given, the others open when they are needed.
final class ReaderPool: Sendable {
    private typealias Job = @Sendable (Result<Database, any Error>) -> Void

    private struct State {
        /// All that are open.
        var readers: [DatabaseQueue]
        /// Those of them that have nothing to do.
        var idle: [DatabaseQueue]
        /// How many are being opened.
        var opening = 0
        var waiting: [Job] = []
        var isClosed = false
    }

    /// What becomes of a job that comes in.
    private enum Step { case run(DatabaseQueue), open, wait, refuse }

    private let limit: Int
    private let open: @Sendable () throws -> DatabaseQueue
    private let state: Mutex<State>

    /// - Parameter open: opens one more, on a thread that may block.
    init(first: DatabaseQueue, limit: Int, open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.limit = limit
        self.open = open
        state = Mutex(State(readers: [first], idle: [first]))
    }

    /// Runs `body` in a read transaction, on a thread of the pool.
    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            submit { database in
                let result = Result { try Self.run(body, on: database.get()) }
                continuation.resume(with: result.mapError(StorageError.from))
            }
        }
    }

    /// Refuses new jobs, finishes the others, closes. Blocks.
    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            return state.readers
        }
        for reader in readers { try? reader.close() }
    }

    private static func run<T>(_ body: (any SQLConnection) throws -> T, on database: Database) throws -> T {
        try database.cachedStatement(sql: "BEGIN DEFERRED").execute()
        defer {
            if database.isInsideTransaction { try? database.cachedStatement(sql: "ROLLBACK").execute() }
        }
        return try body(SQLiteConnection(database))
    }

    private func submit(_ job: @escaping Job) {
        let step: Step = state.withLock { state in
            if state.isClosed { return .refuse }
            if let reader = state.idle.popLast() { return .run(reader) }
            if state.readers.count + state.opening < limit {
                state.opening += 1
                return .open
            }
            state.waiting.append(job)
            return .wait
        }
        switch step {
        case .run(let reader): work(job, on: reader)
        case .open: DispatchQueue.global().async { self.workOnNewReader(job) }
        case .wait: break
        case .refuse: job(.failure(StorageError(.unreadable, "it was closed")))
        }
    }

    private func workOnNewReader(_ job: @escaping Job) {
        let opened = Result(catching: open)
        let isClosed = state.withLock { state in
            state.opening -= 1
            if !state.isClosed, let reader = try? opened.get() { state.readers.append(reader) }
            return state.isClosed
        }
        switch opened {
        case .success where isClosed: job(.failure(StorageError(.unreadable, "it was closed")))
        case .success(let reader): work(job, on: reader)
        case .failure(let error): job(.failure(error))
        }
    }

    /// Runs the job, then what waits, on the thread of one reader.
    private func work(_ job: @escaping Job, on reader: DatabaseQueue) {
        reader.asyncWriteWithoutTransaction { database in
            var next: Job? = job
            while let job = next {
                job(.success(database))
                next = self.state.withLock { state in
                    guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                    state.idle.append(reader)
                    return nil
                }
            }
        }
    }
}
