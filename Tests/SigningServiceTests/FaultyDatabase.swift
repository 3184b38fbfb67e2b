import Storage
import Synchronization

/// A database that dies at one of its writes, before or after it is on disk, as its process might. From then on nothing works.
final class FaultyDatabase: SQLDatabase {
    struct Crash: Error {}

    private struct State {
        var writesLeft: Int
        var isDead = false
    }

    private let base: any SQLDatabase
    private let commits: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - base: what it works on.
    ///   - writes: how many work before the one that does not.
    ///   - commits: whether that one is on disk all the same, and only its answer is lost.
    init(_ base: any SQLDatabase, after writes: Int, commits: Bool) {
        self.base = base
        self.commits = commits
        state = Mutex(State(writesLeft: writes))
    }

    var isDead: Bool { state.withLock { $0.isDead } }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        guard !isDead else { throw Crash() }
        return try await base.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        let (isDead, dies) = state.withLock { state in
            let wasDead = state.isDead
            state.isDead = wasDead || state.writesLeft == 0
            state.writesLeft -= 1
            return (wasDead, state.isDead)
        }
        guard !isDead else { throw Crash() }
        guard dies else { return try await base.write(body) }
        if commits { _ = try await base.write(body) }
        throw Crash()
    }

    func backup(to path: String) async throws { try await base.backup(to: path) }

    func close() async { await base.close() }
}
