import Foundation
import Storage
import StorageSQLite
import Testing

@Suite("Opening and creating a store")
struct OpeningTests {
    @Test("K1: a new store is for its owner only, its log too, whatever the umask allows")
    func modes() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        try await database.write { try SettingRow(name: "a", value: "b").save(on: $0) }
        for suffix in ["", "-wal", "-shm"] { #expect(try store.mode(suffix) == 0o600) }
        await database.close()
        #expect(try store.names() == ["store.sqlite"])
    }

    @Test("Creating never overwrites, leaves nothing behind, and is all or nothing")
    func create() async throws {
        let store = try TemporaryStore()
        struct Deliberate: Error {}
        await #expect(throws: Deliberate.self) {
            try await SQLiteDatabase.create(at: store.path, time: 1) { _ in throw Deliberate() }
        }
        #expect(try store.names() == [])
        try store.write([1, 2, 3])
        #expect(try await code { try await SQLiteDatabase.create(at: store.path, time: 1) } == .exists)
        #expect(try store.bytes() == [1, 2, 3])
        #expect(try store.names() == ["store.sqlite"])
        let missing = store.directory.appending(path: "absent/store.sqlite").path(percentEncoded: false)
        #expect(try await code { try await SQLiteDatabase.create(at: missing, time: 1) } == .unreadable)
    }

    @Test("What a store begins with is there with its tables")
    func fill() async throws {
        let store = try TemporaryStore()
        let facts = StoreFacts(id: "i", issuer: "urn:x", createdAt: 1)
        try await SQLiteDatabase.create(at: store.path, time: 1) { try facts.insert(on: $0) }
        let database = try await store.open()
        #expect(try await database.read { try StoreFacts.find(on: $0) } == facts)
        await database.close()
    }

    @Test("Opening never makes a store")
    func absent() async throws {
        let store = try TemporaryStore()
        #expect(try await code { _ = try await store.open() } == .unreadable)
        #expect(try store.names() == [])
    }

    /// What is no store, though it may look like one from outside.
    enum NoStore: String, CaseIterable {
        case empty, magicAlone, zeros, text, magicAndZeros

        var bytes: [UInt8] {
            let (magic, zeros) = (Array("SQLite format 3\0".utf8), [UInt8](repeating: 0, count: 4096))
            return switch self {
            case .empty: []
            case .magicAlone: magic
            case .zeros: zeros
            case .text: Array("not a database".utf8)
            case .magicAndZeros: magic + zeros
            }
        }
    }

    @Test("R4: what is no store is refused and left as it was", arguments: NoStore.allCases)
    func noStore(_ kind: NoStore) async throws {
        let store = try TemporaryStore()
        try store.write(kind.bytes)
        #expect(try await code { _ = try await store.open() } == .notAStore)
        #expect(try store.bytes() == kind.bytes)
        #expect(try store.names() == ["store.sqlite"])
    }

    @Test("R4: another program's database is refused and left as it was")
    func foreign() async throws {
        let store = try TemporaryStore()
        try Peer.run("CREATE TABLE t (a)", on: store)
        try store.write(try store.bytes())
        let before = try store.bytes()
        #expect(try await code { _ = try await store.open() } == .notAStore)
        #expect(try store.bytes() == before)
        #expect(try store.names() == ["store.sqlite"])
    }

    @Test("K1: a link, a directory, and a file that others may read are refused")
    func kinds() async throws {
        let store = try TemporaryStore()
        await (try await store.make()).close()
        let link = store.beside(".link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
        #expect(try await code { _ = try await SQLiteDatabase.open(at: link, time: 1) } == .notAStore)
        let directory = store.directory.path(percentEncoded: false)
        #expect(try await code { _ = try await SQLiteDatabase.open(at: directory, time: 1) } == .notAStore)
        for mode in [0o644, 0o640, 0o620, 0o601] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store.path)
            #expect(try await code { _ = try await store.open() } == .unreadable)
        }
    }

    @Test("R8: a commit waits for the disk: synchronous reads 2, and the log is on")
    func durable() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        let (level, mode) = try await database.write { connection in
            let level = try connection.row("PRAGMA synchronous")?.integer("synchronous")
            return (level, try connection.row("PRAGMA journal_mode")?.text("journal_mode"))
        }
        #expect(level == 2)
        #expect(mode == "wal")
        #expect(try await database.read { try $0.row("PRAGMA foreign_keys")?.integer("foreign_keys") } == 1)
        await database.close()
    }

    @Test("A process that does one thing reads on the connection that writes, one transaction after the other")
    func sharedConnection() async throws {
        let store = try TemporaryStore()
        await (try await store.make()).close()
        let database = try await store.open(SQLiteSettings(sharesConnection: true))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await database.write { try SettingRow(name: "n\(number)", value: "v").save(on: $0) }
                    #expect(try await settings(in: database) >= 1)
                }
            }
            try await group.waitForAll()
        }
        #expect(try openFiles(store.path) == 1)
        await database.close()
        await #expect(throws: StorageError.self) { try await database.read { _ in } }
        #expect(try store.names() == ["store.sqlite"])
        let again = try await store.open()
        #expect(try await settings(in: again) == 20)
        #expect(try openFiles(store.path) == 2)
        await again.close()
    }

    @Test("Beside a log there is a reader that looks first: another store's log is refused, and nothing is changed")
    func sharedBesideLog() async throws {
        let (store, other) = (try TemporaryStore(), try TemporaryStore())
        await (try await store.make()).close()
        let database = try await other.make()
        try await database.write { try SettingRow(name: "a", value: "b").save(on: $0) }
        let shared = SQLiteSettings(sharesConnection: true)
        let beside = try await other.open(shared)
        #expect(try await beside.read { try SettingRow.list(on: $0).map(\.name) } == ["a"])
        await beside.close()
        let (file, log) = (try store.bytes(), try other.bytes("-wal"))
        await database.close()
        try store.write(log, "-wal")
        #expect(try await code { _ = try await store.open(shared) } == .corrupt)
        #expect(try store.bytes() == file)
        #expect(try store.bytes("-wal") == log)
    }

    private func settings(in database: SQLiteDatabase) async throws -> Int {
        try await database.read { try SettingRow.list(on: $0).count }
    }

    /// How many of this process's descriptors are of the file.
    private func openFiles(_ path: String) throws -> Int {
        let descriptors = "/proc/self/fd/"
        return try FileManager.default.contentsOfDirectory(atPath: descriptors).count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: descriptors + $0)) == path
        }
    }

    @Test("Commits of one process are seen by another, with the log still there")
    func twoProcesses() async throws {
        let store = try TemporaryStore()
        let (first, second) = (try await store.make(), try await store.open())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<200 {
                let database = id % 2 == 0 ? first : second
                group.addTask {
                    try await database.write { try AuditRow(at: Int64(id), event: "e", result: 0).append(on: $0) }
                }
            }
            try await group.waitForAll()
        }
        await first.close()
        #expect(try await second.read { try AuditRow.count(on: $0) } == 200)
        #expect(try Peer.run("SELECT COUNT(*), MAX(seq) FROM audit", on: store) == "200|200")
        await second.close()
    }
}
