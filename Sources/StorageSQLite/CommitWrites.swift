internal import CSQLite
internal import GRDB

/// The writes of a commit to the log, made in one piece: SQLite itself makes two for each page. Why that is safe: `gathering.c`.
///
/// Sendable, since it goes to the writer's thread, which alone uses it.
@safe struct CommitWrites: ~Copyable, @unchecked Sendable {
    private let gathering: OpaquePointer?

    init() { unsafe gathering = countersign_gathering_new() }

    deinit { unsafe countersign_gathering_free(gathering) }

    /// Runs `commit`, which is COMMIT and no more, on a connection with a log that is flushed by each commit.
    func together(on database: Database, _ commit: () throws -> Void) throws {
        unsafe countersign_gathering_begin(gathering, database.sqliteConnection)
        defer { unsafe countersign_gathering_end(gathering) }
        try commit()
    }
}
