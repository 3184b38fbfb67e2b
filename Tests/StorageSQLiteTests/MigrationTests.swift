import Storage
import StorageSQLite
import Testing

@Suite("Migrations")
struct MigrationTests {
    private static let old = [Schema.Migration(version: 1, statements: ["CREATE TABLE t (a BIGINT)"])]
    private static let new =
        old + [
            Schema.Migration(version: 2, statements: ["ALTER TABLE t ADD COLUMN b TEXT", "UPDATE t SET b = 'old'"]),
            Schema.Migration(version: 3, statements: ["CREATE TABLE u (c BIGINT)"]),
        ]
    private static let broken =
        old + [
            Schema.Migration(version: 2, statements: ["CREATE TABLE u (c BIGINT)", "INSERT INTO absent VALUES (1)"])
        ]

    private func makeOld(_ store: TemporaryStore) async throws {
        try await SQLiteDatabase.create(at: store.path, time: 1, migrations: Self.old) { connection in
            try connection.run("INSERT INTO t (a) VALUES (7)")
        }
    }

    @Test("An older store is brought to the newest version, once")
    func migrates() async throws {
        let store = try TemporaryStore()
        try await makeOld(store)
        for _ in 0..<2 {
            let database = try await SQLiteDatabase.open(at: store.path, time: 5, migrations: Self.new)
            let versions = try await database.read { connection in
                try connection.rows("SELECT version, at FROM schema ORDER BY version").map {
                    [try $0.integer("version"), try $0.integer("at")]
                }
            }
            #expect(versions == [[1, 1], [2, 5], [3, 5]])
            #expect(try await database.read { try $0.row("SELECT b FROM t")?.text("b") } == "old")
            await database.close()
        }
    }

    @Test("A migration that fails leaves the old store, which the old program still opens")
    func atomic() async throws {
        let store = try TemporaryStore()
        try await makeOld(store)
        let failure = try await code {
            _ = try await SQLiteDatabase.open(at: store.path, time: 5, migrations: Self.broken)
        }
        #expect(failure == .corrupt)
        let database = try await SQLiteDatabase.open(at: store.path, time: 6, migrations: Self.old)
        #expect(try await database.read { try Schema.version(on: $0, migrations: Self.old) } == 1)
        #expect(try await database.read { try $0.rows("SELECT name FROM sqlite_master WHERE name = 'u'").isEmpty })
        await database.close()
    }

    @Test("Two processes that open an older store at once migrate it once")
    func race() async throws {
        let store = try TemporaryStore()
        try await makeOld(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let database = try await SQLiteDatabase.open(at: store.path, time: 5, migrations: Self.new)
                    let rows = try await database.read { try $0.rows("SELECT version FROM schema") }
                    #expect(rows.count == 3)
                    await database.close()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A newer store is refused with both numbers, and left as it was")
    func newer() async throws {
        let store = try TemporaryStore()
        try await SQLiteDatabase.create(at: store.path, time: 1, migrations: Self.new)
        let before = try store.bytes()
        let error = await #expect(throws: StorageError.self) {
            _ = try await SQLiteDatabase.open(at: store.path, time: 5, migrations: Self.old)
        }
        #expect(error?.code == .newerSchema(found: 3, known: 1))
        #expect(error?.description.contains("version 3") == true)
        #expect(error?.description.contains("knows 1") == true)
        #expect(try store.bytes() == before)
    }
}
