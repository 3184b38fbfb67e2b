import Foundation
import Storage
import StorageSQLite
import Testing

@Suite("R4: a damaged store")
struct DamageTests {
    /// A closed store with some of everything.
    private func makeStore(users: Int = 40) async throws -> TemporaryStore {
        let store = try TemporaryStore()
        try await SQLiteDatabase.create(at: store.path, time: 1) { connection in
            try StoreFacts(id: "id", issuer: "urn:x", createdAt: 1).insert(on: connection)
            for id in 0..<users {
                try UserRow.insert(name: "user\(id)", password: "phc", at: 1, on: connection)
                try AuditRow(at: Int64(id), event: "added", userName: "user\(id)", result: 0).append(on: connection)
            }
        }
        return store
    }

    /// Reads all, changes a little. What is damaged may be refused at any step, with an error of ours.
    private func use(_ store: TemporaryStore) async throws {
        let database = try await store.open()
        do {
            try await database.read { connection in
                _ = try StoreFacts.find(on: connection)
                _ = try UserRow.list(on: connection)
                _ = try AuditRow.list(on: connection)
                _ = try AuditRow.newestRecordedTime(on: connection)
                _ = try StatementRow.list(on: connection)
            }
            try await database.write { connection in
                try AuditRow(at: 1, event: "used", result: 0).append(on: connection)
                try LedgerRow(empty: "user1", .stepUp).save(at: 1, on: connection)
            }
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    @Test("200 damaged pages: no crash, an error of ours or a store that works")
    func flips() async throws {
        let store = try await makeStore()
        let sound = try store.bytes()
        var random = SeededRandom(state: 4)
        var refusals: [String: Int] = [:]
        for _ in 0..<200 {
            var bytes = sound
            let page = Int.random(in: 0..<bytes.count / 4096, using: &random)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[page * 4096 + Int.random(in: 0..<4096, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            try store.write(bytes)
            do {
                try await use(store)
            } catch let error as StorageError {
                refusals["\(error.code)", default: 0] += 1
                #expect(
                    [.corrupt, .notAStore, .constraint, .newerSchema(found: 0, known: 0), .io].contains(
                        kind(error.code)))
            }
            for suffix in ["-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: store.beside(suffix))
            }
        }
        #expect(!refusals.isEmpty)
    }

    @Test("200 pages of rubbish: no crash, and no page of tables goes unnoticed by a check")
    func rubbish() async throws {
        let store = try await makeStore()
        let sound = try store.bytes()
        var random = SeededRandom(state: 5)
        for round in 0..<200 {
            var bytes = sound
            let page = round % (bytes.count / 4096)
            for index in 0..<4096 { bytes[page * 4096 + index] = UInt8.random(in: 0...255, using: &random) }
            try store.write(bytes)
            await #expect(throws: StorageError.self) {
                let database = try await store.open()
                do { try await database.check() } catch {
                    await database.close()
                    throw error
                }
                await database.close()
            }
            for suffix in ["-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: store.beside(suffix))
            }
        }
    }

    @Test("A truncated file is refused and left as it was", arguments: [50, 99, 100, 4096, 20_000])
    func truncated(_ size: Int) async throws {
        let store = try await makeStore()
        let short = Array(try store.bytes().prefix(size))
        try store.write(short)
        let failure = try await code { try await use(store) }
        #expect(failure == (size < 100 ? .notAStore : .corrupt))
        #expect(try store.bytes() == short)
    }

    @Test("A log that is truncated, damaged or rubbish: what remains is a state that was")
    func logs() async throws {
        let store = try await makeStore(users: 1)
        let database = try await store.open()
        for id in 0..<20 {
            try await database.write { try AuditRow(at: Int64(id), event: "e", result: 0).append(on: $0) }
        }
        let (file, log) = (try store.bytes(), try store.bytes("-wal"))
        #expect(!log.isEmpty)
        var random = SeededRandom(state: 6)
        for round in 0..<60 {
            let copy = try TemporaryStore()
            var damaged = log
            switch round % 3 {
            case 0: damaged = Array(log.prefix(Int.random(in: 0..<log.count, using: &random)))
            case 1: damaged[Int.random(in: 0..<log.count, using: &random)] ^= 0x10
            default: damaged = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            try copy.write(file)
            try copy.write(damaged, "-wal")
            let reopened = try await copy.open()
            let numbers = try await reopened.read { try AuditRow.list(on: $0).compactMap(\.seq) }
            #expect(numbers == (1...Int64(numbers.count)).reversed())
            try await reopened.check()
            await reopened.close()
        }
        await database.close()
    }

    @Test("Another store's log is refused, and neither file is changed")
    func foreignLog() async throws {
        let (store, other) = (try await makeStore(), try await makeStore())
        let database = try await other.open()
        try await database.write { try SettingRow(name: "a", value: "b").save(on: $0) }
        let (file, log) = (try store.bytes(), try other.bytes("-wal"))
        await database.close()
        try store.write(log, "-wal")
        let error = await #expect(throws: StorageError.self) { try await use(store) }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.contains("another store") == true)
        #expect(try store.bytes() == file)
        #expect(try store.bytes("-wal") == log)
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: store.beside(suffix)) }
        try await use(store)
    }

    @Test("A backup put in the place of its store does not take the store's old log")
    func backupBesideOldLog() async throws {
        let store = try await makeStore()
        let database = try await store.open()
        try await database.backup(to: store.beside(".copy"))
        try await database.write { try SettingRow(name: "a", value: "b").save(on: $0) }
        let (backup, log) = (try store.bytes(".copy"), try store.bytes("-wal"))
        await database.close()
        let restored = try TemporaryStore()
        try restored.write(backup)
        try restored.write(log, "-wal")
        #expect(try await code { try await use(restored) } == .corrupt)
        #expect(try restored.bytes() == backup)
    }

    private func kind(_ code: StorageError.Code) -> StorageError.Code {
        if case .newerSchema = code { return .newerSchema(found: 0, known: 0) }
        return code
    }
}

/// The same numbers each time. SplitMix64.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
