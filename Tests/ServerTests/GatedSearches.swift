import Storage
import Synchronization

/// A database whose searches for a keyword wait at a gate, and are counted. Everything else goes by.
final class GatedSearches: SQLDatabase {
    /// Thrown by a read that turns out to be a search.
    private struct Search: Error {}

    /// A connection that runs anything but a search.
    private struct Passage: SQLConnection {
        let base: any SQLConnection

        func run(_ sql: String, _ values: [SQLValue]) throws -> Int { try base.run(sql, values) }

        func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
            try check(sql)
            return try base.rows(sql, values)
        }

        func rows(_ sql: String, _ values: [SQLValue], while take: (SQLRow) throws -> Bool) throws {
            try check(sql)
            try base.rows(sql, values, while: take)
        }

        private func check(_ sql: String) throws {
            if sql.contains("folded LIKE") { throw Search() }
        }
    }

    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var atOnce = 0
        var mostAtOnce = 0
        var count = 0
    }

    private let base: any SQLDatabase
    private let state = Mutex(State())

    init(_ base: any SQLDatabase) { self.base = base }

    /// How many were there, and how many at most at once.
    var searches: (count: Int, mostAtOnce: Int) { state.withLock { ($0.count, $0.mostAtOnce) } }

    /// Lets all go on, those too that come later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        do {
            return try await base.read { try body(Passage(base: $0)) }
        } catch is Search {
            state.withLock { state in
                state.count += 1
                state.atOnce += 1
                state.mostAtOnce = max(state.mostAtOnce, state.atOnce)
            }
            defer { state.withLock { $0.atOnce -= 1 } }
            await pass()
            return try await base.read(body)
        }
    }

    private func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.write(body)
    }

    func backup(to path: String) async throws { try await base.backup(to: path) }

    func close() async { await base.close() }
}
