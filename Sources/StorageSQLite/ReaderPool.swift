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

    /// What is left to do for a job that came in.
    private enum Step { case nothing, open, refuse }

    private let isBorrowed: Bool
    private let limit: Int
    private let open: @Sendable () throws -> DatabaseQueue
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isBorrowed: whether the first is the writer's, who closes it.
    ///   - open: opens one more, on a thread that may block.
    init(
        first: DatabaseQueue, isBorrowed: Bool = false, limit: Int,
        open: @escaping @Sendable () throws -> DatabaseQueue
    ) {
        self.isBorrowed = isBorrowed
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

    /// Refuses new jobs, finishes the others, closes. Blocks. On a borrowed connection the others finish before it is closed.
    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            return state.readers
        }
        guard !isBorrowed else { return }
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
            if let reader = state.idle.popLast() {
                // Under the lock, so that closing comes after it in the reader's queue.
                work(job, on: reader)
                return .nothing
            }
            if state.readers.count + state.opening < limit {
                state.opening += 1
                return .open
            }
            state.waiting.append(job)
            return .nothing
        }
        switch step {
        case .nothing: break
        case .open: DispatchQueue.global().async { self.workOnNewReader(job) }
        case .refuse: job(.failure(StorageError(.unreadable, "it was closed")))
        }
    }

    private func workOnNewReader(_ job: @escaping Job) {
        let opened = Result(catching: open)
        let failure: (any Error)? = state.withLock { state in
            state.opening -= 1
            guard !state.isClosed else { return StorageError(.unreadable, "it was closed") }
            switch opened {
            case .success(let reader):
                state.readers.append(reader)
                work(job, on: reader)
                return nil
            case .failure(let error):
                return error
            }
        }
        if let failure { job(.failure(failure)) }
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
