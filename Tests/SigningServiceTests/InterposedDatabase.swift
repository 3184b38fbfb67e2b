import Storage
import Synchronization

/// A database between whose transactions something else happens, as another process might do it at just that moment: after the
/// first write that leaves things as wanted, and before its writer hears of it. A race is so won each time, on a slow day too.
final class InterposedDatabase: SQLDatabase {
    private let base: any SQLDatabase
    private let isMoment: @Sendable (any SQLConnection) throws -> Bool
    private let meanwhile: Mutex<(@Sendable () async throws -> Void)?>

    /// - Parameters:
    ///   - base: what it works on.
    ///   - isMoment: whether it is time, by what is committed.
    ///   - meanwhile: what happens then, once. It must not use this database.
    init(
        _ base: any SQLDatabase, when isMoment: @escaping @Sendable (any SQLConnection) throws -> Bool,
        _ meanwhile: @escaping @Sendable () async throws -> Void
    ) {
        self.base = base
        self.isMoment = isMoment
        self.meanwhile = Mutex(meanwhile)
    }

    /// Whether it has happened.
    var hasHappened: Bool { meanwhile.withLock { $0 == nil } }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        let result = try await base.write(body)
        if !hasHappened, try await base.read(isMoment) {
            let happens = meanwhile.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            try await happens?()
        }
        return result
    }

    func backup(to path: String) async throws { try await base.backup(to: path) }

    func close() async { await base.close() }
}
