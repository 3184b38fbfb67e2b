import Dispatch
import Storage
import StorageSQLite
import Testing

@Suite("The write-ahead log")
struct LogTests {
    /// What is new in the log's header whenever it starts again from its beginning.
    private func salt(_ store: TemporaryStore) throws -> [UInt8] { Array(try store.bytes("-wal").prefix(24).suffix(8)) }

    private func save(_ number: Int, in database: SQLiteDatabase) async throws {
        try await database.write { try SettingRow(name: "n", value: "\(number)").save(on: $0) }
    }

    @Test("R8: a long log is copied into the file, starts again, and nothing is lost by it")
    func startsAgain() async throws {
        let store = try TemporaryStore()
        let database = try await store.make(SQLiteSettings(logPages: 20))
        var number = 0
        for _ in 1...5 {
            try await save(number, in: database)
            let before = try salt(store)
            while try salt(store) == before {
                number += 1
                try await save(number, in: database)
            }
            #expect(try await database.read { try SettingRow.list(on: $0).map(\.value) } == ["\(number)"])
        }
        try await database.check()
        // Nobody else has it open: what only the log has is not in the file.
        await database.close()
        #expect(try store.names() == ["store.sqlite"])
        let again = try await store.open()
        #expect(try await again.read { try SettingRow.list(on: $0).map(\.value) } == ["\(number)"])
        await again.close()
    }

    @Test("What others write into the log counts: who commits next copies it")
    func othersCount() async throws {
        let store = try TemporaryStore()
        let database = try await store.make(SQLiteSettings(logPages: 40))
        let other = try await store.open(SQLiteSettings(logPages: 1_000_000))
        for number in 1...60 { try await save(number, in: other) }
        let before = try salt(store)
        try await save(61, in: database)
        // It waits for the copy.
        await database.close()
        #expect(try salt(store) == before)
        try await save(62, in: other)
        #expect(try salt(store) != before)
        #expect(try await other.read { try SettingRow.list(on: $0).map(\.value) } == ["62"])
        await other.close()
    }

    @Test("A reader that stays at an old commit keeps the log, and sees that commit to its end")
    func oldReader() async throws {
        let store = try TemporaryStore()
        let database = try await store.make(SQLiteSettings(logPages: 20))
        try await save(0, in: database)
        let seen = try await database.read { connection in
            let first = try SettingRow.list(on: connection).map(\.value)
            let gate = DispatchSemaphore(value: 0)
            Task {
                for number in 1...200 { try await save(number, in: database) }
                gate.signal()
            }
            gate.wait()
            return (first, try SettingRow.list(on: connection).map(\.value))
        }
        #expect(seen.0 == ["0"] && seen.1 == ["0"])
        try await save(201, in: database)
        #expect(try await database.read { try SettingRow.list(on: $0).map(\.value) } == ["201"])
        try await database.check()
        await database.close()
    }
}
