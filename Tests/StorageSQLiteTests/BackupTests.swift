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

    @Test("A restored store is whole; one that is in use, or damaged, is not restored from")
    func restore() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        try await database.write { try SettingRow(name: "n", value: "1").save(on: $0) }
        try await database.backup(to: store.beside(".copy"))
        let inUse = try await code {
            try await SQLiteDatabase.restore(from: store.path, to: store.beside(".restored"))
        }
        #expect(inUse == .busy)
        await database.close()
        try await SQLiteDatabase.restore(from: store.beside(".copy"), to: store.beside(".restored"))
        let restored = try await SQLiteDatabase.open(at: store.beside(".restored"), time: 9)
        #expect(try await restored.read { try SettingRow.find("n", on: $0) } == "1")
        await restored.close()
        let twice = try await code {
            try await SQLiteDatabase.restore(from: store.beside(".copy"), to: store.beside(".restored"))
        }
        #expect(twice == .exists)
        var bytes = try Data(contentsOf: URL(filePath: store.beside(".copy")))
        bytes.removeLast(8192)
        try store.write(Array(bytes), ".damaged")
        let damaged = try await code {
            try await SQLiteDatabase.restore(from: store.beside(".damaged"), to: store.beside(".again"))
        }
        #expect(damaged == .corrupt)
        #expect(try store.names().filter { $0.contains("again") } == [])
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
