import Storage

/// A database whose transactions all run twice: what they did the first time is undone.
final class RepeatingDatabase: SQLDatabase {
    private struct Undone: Error {}

    private let base: any SQLDatabase

    init(_ base: any SQLDatabase) { self.base = base }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        do {
            return try await base.write { connection in
                _ = try body(connection)
                throw Undone()
            }
        } catch is Undone {
            return try await base.write(body)
        }
    }

    func backup(to path: String) async throws { try await base.backup(to: path) }

    func close() async { await base.close() }
}
