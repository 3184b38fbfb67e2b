import Dispatch
import Foundation
import Storage
import StorageSQLite
import Testing

@Suite("A commit's writes are gathered")
struct CommitWritesTests {
    @Test(
        "R1: what a large transaction writes before its commit nobody sees; then all of it, in the log too",
        .enabled(if: Peer.path != nil))
    func spilled() async throws {
        let store = try TemporaryStore()
        let database = try await Pieces.make(in: store)
        try await database.write { try Pieces.set(1, "first", on: $0) }
        let (isSpilled, mayCommit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let path = store.beside("-wal")
        let writing = Task {
            try await database.write { connection in
                defer { isSpilled.signal() }
                // Twice: the second time writes over pages of the log that are not committed, and the sums of all are made anew.
                for round in 0..<2 {
                    for id in Int64(1)...1_500 { try Pieces.set(id, Pieces.text(id, round, 8_000), on: connection) }
                }
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
                #expect(size > 4_000_000, "nothing was written before the commit")
                isSpilled.signal()
                mayCommit.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isSpilled.wait()
                continuation.resume()
            }
        }
        #expect(try await Pieces.all(in: database) == [1: "first"])
        #expect(try Peer.run("SELECT id, value FROM pieces", on: store) == "1|first")
        mayCommit.signal()
        try await writing.value
        let expected = Dictionary(uniqueKeysWithValues: (Int64(1)...1_500).map { ($0, Pieces.text($0, 1, 8_000)) })
        #expect(try await Pieces.all(in: database) == expected)
        #expect(try Peer.run("SELECT count(*) FROM pieces; PRAGMA integrity_check", on: store) == "1500\nok")
        #expect(try await Pieces.afterCrash(of: store) == expected)
        try await database.check()
        await database.close()
    }

    @Test(
        "What a large transaction wrote before it was undone is not written over what another process commits then",
        .enabled(if: Peer.path != nil))
    func undone() async throws {
        struct Undone: Error {}
        let store = try TemporaryStore()
        let database = try await Pieces.make(in: store)
        for round in 0..<12 {
            await #expect(throws: Undone.self) {
                try await database.write { connection in
                    // A small cache: from one page on, more with each round, goes to the log at once.
                    _ = try connection.rows("PRAGMA cache_size = 10")
                    for id in Int64(1)...Int64(3 + round) {
                        try Pieces.set(id, Pieces.text(id, round, 8_000), on: connection)
                    }
                    throw Undone()
                }
            }
            try Peer.run("INSERT INTO pieces VALUES (\(-round - 1), 'theirs')", on: store)
            try await database.write { try Pieces.set(Int64(round), "ours", on: $0) }
            let ids = try await Pieces.all(in: database).keys.sorted()
            #expect(ids == Array(Int64(-round - 1)...Int64(round)))
            #expect(try await Pieces.afterCrash(of: store).count == 2 * (round + 1))
        }
        try await database.check()
        await database.close()
    }

    @Test(
        "The same statements bring the same rows as on a plain connection, whatever their size and whoever commits",
        .enabled(if: Peer.path != nil), arguments: 1...3 as ClosedRange<UInt64>)
    func plain(_ seed: UInt64) async throws {
        struct Undone: Error {}
        let (store, plainStore) = (try TemporaryStore(), try TemporaryStore())
        let database = try await Pieces.make(in: store)
        await (try await Pieces.make(in: plainStore)).close()
        let plain = try Peer.Session(on: plainStore)
        let other = try Peer.Session(on: store)
        try other.send(".timeout 60000")
        var random = SeededRandom(state: seed)
        for round in 0..<40 {
            var statements: [String] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let id = Int.random(in: 0..<30, using: &random)
                let size = 1 << Int.random(in: 0...17, using: &random)
                statements.append(
                    Int.random(in: 0..<4, using: &random) == 0
                        ? "DELETE FROM pieces WHERE id = \(id)"
                        : "INSERT OR REPLACE INTO pieces VALUES (\(id), printf('%d %.*c', \(round), \(size), 'x'))")
            }
            let batch = statements.joined(separator: ";\n")
            let kind = Int.random(in: 0..<5, using: &random)
            if kind == 0 {
                try other.ask("BEGIN IMMEDIATE;\n\(batch);\nCOMMIT")
            } else {
                let runs = statements
                let failure: Undone? = await {
                    do {
                        try await database.write { connection in
                            for statement in runs { try connection.run(statement) }
                            if kind == 1 { throw Undone() }
                        }
                        return nil
                    } catch { return error as? Undone }
                }()
                #expect((failure != nil) == (kind == 1))
            }
            if kind != 1 { try plain.ask("BEGIN;\n\(batch);\nCOMMIT") }
        }
        _ = try (plain.finish(), other.finish())
        let all = "SELECT id, value FROM pieces ORDER BY id"
        let (ours, theirs) = (try Peer.run(all, on: store), try Peer.run(all, on: plainStore))
        let isSame = ours == theirs
        #expect(isSame && !ours.isEmpty)
        let (now, recovered) = (try await Pieces.all(in: database), try await Pieces.afterCrash(of: store))
        let isWhole = now == recovered
        #expect(isWhole)
        try await database.check()
        await database.close()
    }

    @Test(
        "R2: commits that the disk has no room for are undone whole, those after them are sound",
        .enabled(if: Disk.canMount))
    func noRoom() async throws {
        let store = try TemporaryStore()
        let disk = try Disk(at: store.directory, kibibytes: 1_536)
        defer { disk.unmount() }
        let database = try await Pieces.make(in: store)
        var random = SeededRandom(state: 7)
        var expected: [Int64: String] = [:]
        var refusals = 0
        for round in 0..<60 {
            if round == 40 { try disk.resize(kibibytes: 8_192) }
            let (id, size) = (Int64.random(in: 0..<6, using: &random), 1 << Int.random(in: 3...18, using: &random))
            let text = Pieces.text(id, round, size)
            let failure = try await code { try await database.write { try Pieces.set(id, text, on: $0) } }
            #expect([nil, .full].contains(failure))
            if failure == nil { expected[id] = text } else { refusals += 1 }
            let found = try await Pieces.all(in: database)
            let isSame = found == expected
            #expect(isSame, "round \(round)")
        }
        #expect(refusals > 3 && expected.count > 3)
        try await database.check()
        let recovered = try await Pieces.afterCrash(of: store)
        let isWhole = recovered == expected
        #expect(isWhole)
        await database.close()
    }
}

/// A table for texts of any size.
private enum Pieces {
    static func make(in store: TemporaryStore) async throws -> SQLiteDatabase {
        let database = try await store.make()
        _ = try await database.write {
            try $0.run("CREATE TABLE pieces (id INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT")
        }
        return database
    }

    /// A text of `size` bytes and some, another for each round.
    static func text(_ id: Int64, _ round: Int, _ size: Int) -> String {
        "\(id) \(round) " + String(repeating: "y", count: size)
    }

    static func set(_ id: Int64, _ value: String, on connection: any SQLConnection) throws {
        try connection.run("INSERT OR REPLACE INTO pieces VALUES ($1, $2)", [.integer(id), .text(value)])
    }

    static func all(in database: SQLiteDatabase) async throws -> [Int64: String] {
        try await database.read { connection in
            let rows = try connection.rows("SELECT id, value FROM pieces").map {
                (try $0.integer("id"), try $0.text("value"))
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    /// What somebody finds who opens the files as they are now, as after a crash. Another process copies them: one that has them open
    /// loses its locks when it closes them again.
    static func afterCrash(of store: TemporaryStore) async throws -> [Int64: String] {
        let copy = try TemporaryStore()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/cp")
        process.arguments = [store.path, store.beside("-wal"), copy.directory.path(percentEncoded: false)]
        try process.run()
        process.waitUntilExit()
        let database = try await copy.open()
        let found = try await all(in: database)
        try await database.check()
        await database.close()
        return found
    }
}
