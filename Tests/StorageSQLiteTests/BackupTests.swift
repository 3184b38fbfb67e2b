import Foundation
import Storage
import StorageSQLite
import Testing

@Suite("Backups")
struct BackupTests {
    @Test("A backup is a store of its own, whole, for its owner only, taken while others write")
    func backup() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        let writing = Task {
            for id in 0..<200 {
                try await database.write { connection in
                    try AuditRow(at: Int64(id), event: "e", result: 0).append(on: connection)
                    try SettingRow(name: "n", value: "\(id + 1)").save(on: connection)
                }
            }
        }
        try await database.write { try SettingRow(name: "before", value: "1").save(on: $0) }
        let copy = store.beside(".copy")
        try await database.backup(to: copy)
        try await writing.value
        #expect(try store.mode(".copy") == 0o600)
        #expect(try store.names().filter { $0.contains(".new") } == [])

        let restored = try await SQLiteDatabase.open(at: copy, time: 9)
        try await restored.check()
        let (rows, last, before) = try await restored.read { connection in
            (
                try AuditRow.count(on: connection), try SettingRow.find("n", on: connection),
                try SettingRow.find("before", on: connection)
            )
        }
        #expect(before == "1")
        #expect(last ?? "0" == "\(rows)")
        await restored.close()
        await database.close()
    }

    @Test("A backup never overwrites")
    func exists() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        try store.write([7], ".copy")
        #expect(try await code { try await database.backup(to: store.beside(".copy")) } == .exists)
        #expect(try store.bytes(".copy") == [7])
        #expect(try await code { try await database.backup(to: store.path) } == .exists)
        await database.close()
        #expect(try store.names() == ["store.sqlite", "store.sqlite.copy"])
    }
}
