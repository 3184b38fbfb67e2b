import Foundation
import Storage
import StorageSQLite
import Synchronization
import Testing

@Suite("When the disk or another process is in the way")
struct FailureTests {
    @Test(
        "R3: another process holds the write lock: busy after the time given, and nothing is lost",
        .enabled(if: Peer.path != nil))
    func busy() async throws {
        let store = try TemporaryStore()
        let database = try await store.make(SQLiteSettings(busyTimeout: 20))
        let peer = try Peer.Session(on: store)
        try peer.ask("BEGIN IMMEDIATE")
        for _ in 0..<3 {
            let failure = try await code {
                try await database.write { try AuditRow(at: 1, event: "e", result: 0).append(on: $0) }
            }
            #expect(failure == .busy)
        }
        #expect(try await database.read { try AuditRow.count(on: $0) } == 0)
        _ = try peer.finish()
        try await database.write { try AuditRow(at: 1, event: "e", result: 0).append(on: $0) }
        #expect(try await database.read { try AuditRow.count(on: $0) } == 1)
        await database.close()
    }

    @Test("R3: a writer waits for the lock, and goes on when it is free", .enabled(if: Peer.path != nil))
    func waits() async throws {
        let store = try TemporaryStore()
        let database = try await store.make(SQLiteSettings(busyTimeout: 60_000))
        let peer = try Peer.Session(on: store)
        try peer.ask("BEGIN IMMEDIATE")
        let write = Task { try await database.write { try AuditRow(at: 1, event: "e", result: 0).append(on: $0) } }
        try peer.ask("INSERT INTO settings VALUES ('a', 'b')")
        try peer.ask("COMMIT")
        try await write.value
        #expect(try await database.read { try AuditRow.count(on: $0) } == 1)
        #expect(try await database.read { try SettingRow.find("a", on: $0) } == "b")
        _ = try peer.finish()
        await database.close()
    }

    @Test("What queues while the writer waits shares its commit: no commit a job", .enabled(if: Peer.path != nil))
    func groupCommit() async throws {
        let store = try TemporaryStore()
        let database = try await store.make(SQLiteSettings(busyTimeout: 60_000))
        let peer = try Peer.Session(on: store)
        try peer.ask("BEGIN IMMEDIATE")
        final class Counter: Sendable { let value = Mutex(0) }
        let started = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<100 {
                group.addTask {
                    started.value.withLock { $0 += 1 }
                    try await database.write { try AuditRow(at: Int64(id), event: "e", result: 0).append(on: $0) }
                }
            }
            while started.value.withLock({ $0 }) < 100 { await Task.yield() }
            try peer.ask("ROLLBACK")
            try await group.waitForAll()
        }
        _ = try peer.finish()
        #expect(try await database.read { try AuditRow.count(on: $0) } == 100)
        // File format, section 4.1: a frame that ends a commit tells the size of the database, others tell 0.
        let log = try store.bytes("-wal").dropFirst(32)
        let frames = stride(from: log.startIndex, to: log.endIndex, by: 24 + 4096)
        let commits = frames.filter { log[$0 + 4..<$0 + 8].contains { $0 != 0 } }.count
        #expect((1...10).contains(commits))
        await database.close()
    }

    @Test(
        "R1: what a killed process had not committed is gone, what was committed is there",
        .enabled(if: Peer.path != nil))
    func killed() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        try await database.write { try SettingRow(name: "kept", value: "1").save(on: $0) }
        let peer = try Peer.Session(on: store)
        try peer.ask("BEGIN IMMEDIATE; INSERT INTO settings VALUES ('lost', '1')")
        peer.kill()
        #expect(try await database.write { try SettingRow.list(on: $0).map(\.name) } == ["kept"])
        await database.close()
    }

    @Test("R2: a full store says so, keeps what it had, and recovers without being opened again")
    func full() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        try await database.write { connection in
            let pages = try connection.row("PRAGMA page_count")?.integer("page_count") ?? 0
            _ = try connection.rows("PRAGMA max_page_count = \(pages + 2)")
        }
        let big = String(repeating: "x", count: 100_000)
        let small: @Sendable (any SQLConnection) throws -> Void = { try SettingRow(name: "s", value: "1").save(on: $0) }
        let large: @Sendable (any SQLConnection) throws -> Void = { try SettingRow(name: "l", value: big).save(on: $0) }
        for _ in 0..<5 { #expect(try await code { try await database.write(large) } == .full) }
        try await database.write(small)
        #expect(try await database.read { try SettingRow.list(on: $0).map(\.name) } == ["s"])
        _ = try await database.write { try $0.rows("PRAGMA max_page_count = 1000000") }
        try await database.write(large)
        #expect(try await database.read { try SettingRow.find("l", on: $0)?.count } == big.count)
        await database.close()
    }

    @Test("R2: a full disk says so, and recovers when there is room", .enabled(if: Disk.canMount))
    func fullDisk() async throws {
        let store = try TemporaryStore()
        let disk = try Disk(at: store.directory, kibibytes: 512)
        defer { disk.unmount() }
        let database = try await store.make()
        let big = String(repeating: "x", count: 40_000)
        var written = 0
        var failure: StorageError.Code?
        while failure == nil, written < 100 {
            let name = "n\(written)"
            failure = try await code {
                try await database.write { try SettingRow(name: name, value: big).save(on: $0) }
            }
            if failure == nil { written += 1 }
        }
        #expect(failure == .full)
        let (read, expected) = (try await database.read { try SettingRow.list(on: $0).count }, written)
        #expect(read == expected)
        let backup = try await code { try await database.backup(to: store.beside(".copy")) }
        #expect(backup == .full)
        try disk.resize(kibibytes: 8192)
        try await database.write { try SettingRow(name: "last", value: big).save(on: $0) }
        try await database.check()
        #expect(try await database.read { try SettingRow.list(on: $0).count } == expected + 1)
        await database.close()
        #expect(try store.names() == ["store.sqlite"])
    }
}

/// A small file system of its own, where the tests may mount one.
struct Disk {
    static let canMount = getuid() == 0 && run("/bin/mount", ["--version"]) && probe()
    private let path: String

    init(at directory: URL, kibibytes: Int) throws {
        path = directory.path(percentEncoded: false)
        guard Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=0700", "tmpfs", path]) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func resize(kibibytes: Int) throws {
        guard Self.run("/bin/mount", ["-o", "remount,size=\(kibibytes)k", path]) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func unmount() { _ = Self.run("/bin/umount", ["-l", path]) }

    private static func probe() -> Bool {
        guard let store = try? TemporaryStore(), let disk = try? Disk(at: store.directory, kibibytes: 64) else {
            return false
        }
        disk.unmount()
        return true
    }

    private static func run(_ command: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: command)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
