internal import Dispatch
internal import GRDB
internal import Glibc
internal import Storage
internal import Synchronization

/// The one writer. What queues while a commit is on its way to the disk shares the next one. A lone job waits for nobody.
final class GroupCommit: Sendable {
    /// After so long without a pause the lock is left free for a moment: other processes want their turn too.
    private static let longestRun = ContinuousClock.Instant.Duration.milliseconds(500)
    /// How long that moment is, in microseconds: longer than a waiting connection takes to look again.
    private static let pause: UInt32 = 3_000
    /// How long a group that is too small waits for more, at most.
    private static let patience = DispatchTimeInterval.milliseconds(1)

    private struct State {
        var waiting: [any WriteJob] = []
        var size = GroupSize()
        /// With how many waiting jobs the next group is large enough; nil: nobody waits for that.
        var wanted: Int?
        var isDraining = false
        var isClosed = false
    }

    private let queue: DatabaseQueue
    private let tag: StoreTag
    private let log: LogCopy
    private let state = Mutex(State())
    private let enough = DispatchSemaphore(value: 0)
    private let writes = CommitWrites()
    private let commits = Atomic<Int>(0)
    private let jobs = Atomic<Int>(0)

    /// - Parameters:
    ///   - queue: the connection that writes, used by nobody else.
    ///   - tag: written with each commit, see `StoreTag`.
    ///   - log: is told of each commit, and closed before the connection.
    init(_ queue: DatabaseQueue, tag: StoreTag, log: LogCopy) {
        self.queue = queue
        self.tag = tag
        self.log = log
        queue.writeWithoutTransaction { log.watch($0) }
    }

    /// How many commits changed the file, and how many jobs they held.
    var figures: (commits: Int, jobs: Int) { (commits.load(ordering: .relaxed), jobs.load(ordering: .relaxed)) }

    /// Queues a job; its `finish` is always called, once.
    func submit(_ job: any WriteJob) {
        let (isAccepted, isEnough) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(job)
            if !state.isDraining {
                state.isDraining = true
                // Under the lock, so that closing comes after it in the connection's queue.
                queue.asyncWriteWithoutTransaction { self.drain($0) }
            }
            guard let wanted = state.wanted, state.waiting.count >= wanted else { return (true, false) }
            state.wanted = nil
            return (true, true)
        }
        // Not under the lock, for which whoever wakes would have to wait. Where it comes too late the next group is a smaller one.
        if isEnough { enough.signal() }
        if !isAccepted { job.finish(StorageError(.unreadable, "it was closed")) }
    }

    /// Refuses new jobs, finishes the others, closes. Blocks.
    func close() {
        state.withLock { $0.isClosed = true }
        // Behind the jobs that were there.
        queue.writeWithoutTransaction { _ in }
        log.close()
        try? queue.close()
    }

    private func drain(_ database: Database) {
        var start = ContinuousClock.now
        state.withLock { [start] in $0.size.begin(at: start) }
        while let group = takeGroup() {
            if ContinuousClock.now - start > Self.longestRun {
                usleep(Self.pause)
                start = .now
            }
            commit(group, on: database)
        }
    }

    private func takeGroup() -> [any WriteJob]? {
        let isLarge = state.withLock { state in
            let goal = state.size.goal(waiting: state.waiting.count)
            guard !state.waiting.isEmpty, state.waiting.count < goal, !state.isClosed else { return true }
            state.wanted = goal
            return false
        }
        if !isLarge { _ = enough.wait(timeout: .now() + Self.patience) }
        return state.withLock { state in
            state.wanted = nil
            guard !state.waiting.isEmpty else {
                state.isDraining = false
                state.size.end(at: .now)
                return nil
            }
            let count = state.size.take(of: state.waiting.count)
            let group = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            return group
        }
    }

    /// One durable commit for the whole group.
    private func commit(_ group: [any WriteJob], on database: Database) {
        var failures: [(any Error)?]
        let before = figures.commits
        do {
            failures = try runTogether(group, on: database) ?? runApart(group, on: database)
        } catch {
            failures = Array(repeating: StorageError.from(error), count: group.count)
        }
        // Nobody else commits.
        if figures.commits != before { jobs.add(failures.count { $0 == nil }, ordering: .relaxed) }
        for index in group.indices { group[index].finish(failures[index]) }
        log.committed(on: database)
    }

    /// Runs the jobs one after the other, in one transaction and nothing else: a savepoint would have SQLite copy every page that a
    /// job touches first.
    ///
    /// - Returns: why the jobs failed, or nil for those that did not; nil for all where one failed that had written, and all was undone.
    private func runTogether(_ group: [any WriteJob], on database: Database) throws -> [(any Error)?]? {
        var failures = [(any Error)?](repeating: nil, count: group.count)
        let memo = SQLiteConnection.Memo()
        let isWhole = try inTransaction(database) {
            for index in group.indices {
                let connection = SQLiteConnection(database, memo)
                do {
                    try group[index].run(on: connection)
                } catch {
                    failures[index] = StorageError.from(error)
                }
                guard database.isInsideTransaction, failures[index] == nil || !connection.hasWritten else {
                    return false
                }
            }
            return true
        }
        return isWhole ? failures : nil
    }

    /// Runs each job in a savepoint of its own, so that one that fails takes no other with it.
    private func runApart(_ group: [any WriteJob], on database: Database) throws -> [(any Error)?] {
        var failures = [(any Error)?](repeating: nil, count: group.count)
        _ = try inTransaction(database) {
            for index in group.indices { failures[index] = try run(group[index], on: database) }
            return failures.contains { $0 == nil }
        }
        return failures
    }

    /// Runs one job in its savepoint.
    ///
    /// - Returns: why it failed, where only it did.
    /// - Throws: where the whole transaction is lost.
    private func run(_ job: any WriteJob, on database: Database) throws -> (any Error)? {
        try execute("SAVEPOINT job", on: database)
        do {
            try job.run(on: SQLiteConnection(database))
            guard database.isInsideTransaction else { throw StorageError(.io, "the transaction was rolled back") }
            try execute("RELEASE job", on: database)
            return nil
        } catch {
            guard database.isInsideTransaction else { throw error }
            try execute("ROLLBACK TO job", on: database)
            try execute("RELEASE job", on: database)
            return StorageError.from(error)
        }
    }

    /// A transaction around `body`: committed where it says so, undone where it says no or throws.
    ///
    /// - Returns: what it said.
    private func inTransaction(_ database: Database, _ body: () throws -> Bool) throws -> Bool {
        defer {
            if database.isInsideTransaction { try? execute("ROLLBACK", on: database) }
        }
        try execute("BEGIN IMMEDIATE", on: database)
        let changes = database.totalChangesCount
        guard try body() else { return false }
        // A group that changed nothing leaves the file alone, costs no flush, and is not counted.
        let hasChanged = database.totalChangesCount != changes
        if hasChanged { try tag.write(on: database) }
        try writes.together(on: database) { try execute("COMMIT", on: database) }
        if hasChanged { commits.add(1, ordering: .relaxed) }
        return true
    }

    private func execute(_ sql: String, on database: Database) throws {
        try database.cachedStatement(sql: sql).execute()
    }
}
