internal import Storage

extension Conformance {
    private struct Deliberate: Error {}

    /// All or nothing, one after the other.
    static let transactions = [
        Conformance("a closure that throws leaves nothing, and its own error comes out") { database in
            try await makeScratch(database)
            do {
                try await database.write { connection in
                    try connection.run("INSERT INTO scratch (id) VALUES (1)")
                    throw Deliberate()
                }
                throw Failure(description: "nothing was thrown")
            } catch is Deliberate {}
            try expectEqual(try await count(database), 0, "rows")
        },
        Conformance("a job that fails takes no other of its group with it") { database in
            try await makeScratch(database)
            let failed = await withTaskGroup(of: Bool.self) { group in
                for id in 0..<200 {
                    group.addTask {
                        do {
                            try await database.write { connection in
                                try connection.run("INSERT INTO scratch (id) VALUES ($1)", [.integer(Int64(id))])
                                if id % 4 == 1 { throw Deliberate() }
                                // A key that is taken, within the group or before it.
                                if id % 4 == 3 {
                                    try connection.run("INSERT INTO scratch (id) VALUES ($1)", [.integer(Int64(id))])
                                }
                            }
                            return false
                        } catch {
                            return true
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expectEqual(failed, 100, "failed jobs")
            let odd = try await database.read {
                try $0.row("SELECT COUNT(*) AS n FROM scratch WHERE id % 2 = 1")?.int("n")
            }
            try expectEqual(odd, 0, "rows of failed jobs")
            try expectEqual(try await count(database), 100, "rows")
        },
        Conformance("a closure may go on after an error that it caught") { database in
            try await makeScratch(database)
            try await database.write { connection in
                try connection.run("INSERT INTO scratch (id) VALUES (1)")
                do {
                    try connection.run("INSERT INTO scratch (id) VALUES ($1)", [.integer(1)])
                    throw Failure(description: "a second row with one key")
                } catch let error as StorageError where error.code == .constraint {}
            }
            try expectEqual(try await count(database), 1, "rows")
        },
        Conformance("a statement that failed can be used again") { database in
            try await makeScratch(database)
            let sql = "INSERT INTO scratch (id) VALUES ($1)"
            try await database.write { _ = try $0.run(sql, [.integer(1)]) }
            for _ in 0..<3 {
                try await expect(.constraint, "a key twice") {
                    try await database.write { _ = try $0.run(sql, [.integer(1)]) }
                }
            }
            try await database.write { _ = try $0.run(sql, [.integer(2)]) }
            try expectEqual(try await count(database), 2, "rows")
        },
        Conformance("many rows at once keep their order, and what they have in common goes into each") { database in
            try await makeScratch(database)
            let sql = "INSERT INTO scratch (n, id) VALUES ($1, (SELECT COALESCE(MAX(id), 0) + $2 FROM scratch))"
            try await database.write { connection in
                try connection.append(sql, common: [.integer(7)], rows: [[.integer(1)], [.integer(10)], [.integer(3)]])
                try connection.append(sql, common: [], rows: [[.integer(8), .integer(1)]])
                try connection.append(sql, common: [.integer(9), .integer(1)], rows: [[]])
                try connection.append(sql, common: [.integer(9)], rows: [])
            }
            let rows = try await database.read { connection in
                try connection.rows("SELECT id, n FROM scratch ORDER BY id").map {
                    [try $0.integer("id"), try $0.integer("n")]
                }
            }
            try expectEqual(rows, [[1, 7], [11, 7], [14, 7], [15, 8], [16, 9]], "rows")
        },
        Conformance("a row among many that cannot be added, or lacks a value, leaves nothing of them") { database in
            try await makeScratch(database)
            let sql = "INSERT INTO scratch (n, id) VALUES ($1, $2)"
            for _ in 0..<2 {
                try await expect(.constraint, "a key twice") {
                    try await database.write { connection in
                        try connection.append(
                            sql, common: [.integer(7)], rows: [[.integer(1)], [.integer(2)], [.integer(1)]])
                    }
                }
                try await expect(.io, "a value that is missing") {
                    try await database.write { connection in
                        try connection.append(sql, common: [.integer(7)], rows: [[.integer(1)], []])
                    }
                }
            }
            try expectEqual(try await count(database), 0, "rows")
            try await database.write { try $0.append(sql, common: [.integer(7)], rows: [[.integer(1)]]) }
            try expectEqual(try await count(database), 1, "rows")
        },
        Conformance("parallel writers lose no update") { database in
            try await makeScratch(database)
            try await database.write { _ = try $0.run("INSERT INTO scratch (id, n) VALUES (1, 0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        try await database.write { connection in
                            let found = try connection.row("SELECT n FROM scratch WHERE id = 1")?.integer("n") ?? 0
                            try connection.run("UPDATE scratch SET n = $1 WHERE id = 1", [.integer(found + 1)])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let n = try await database.read { try $0.row("SELECT n FROM scratch WHERE id = 1")?.integer("n") }
            try expectEqual(n, 300, "updates")
        },
        Conformance("of many that compare and swap one version, one wins") { database in
            try await makeScratch(database)
            try await database.write { _ = try $0.run("INSERT INTO scratch (id, n) VALUES (1, 1)") }
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            try await database.write {
                                try $0.runOnce("UPDATE scratch SET n = n + 1 WHERE id = 1 AND n = 1", [], "the row")
                            }
                            return true
                        } catch let error as StorageError where error.code == .conflict {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expectEqual(winners, 1, "winners")
        },
        Conformance("a reader sees one state, and after a write the new one") { database in
            try await makeScratch(database)
            try await database.write { _ = try $0.run("INSERT INTO scratch (id, n) VALUES (1, 0), (2, 0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await database.write { _ = try $0.run("UPDATE scratch SET n = n + 1") }
                    }
                    group.addTask {
                        try await database.read { connection in
                            let first = try connection.row("SELECT n FROM scratch WHERE id = 1")?.integer("n")
                            let second = try connection.row("SELECT n FROM scratch WHERE id = 2")?.integer("n")
                            try expectEqual(first, second, "one state")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let n = try await database.read { try $0.row("SELECT n FROM scratch WHERE id = 1")?.integer("n") }
            try expectEqual(n, 100, "the last state")
        },
        Conformance("a reader cannot write") { database in
            try await makeScratch(database)
            do {
                _ = try await database.read { try $0.run("INSERT INTO scratch (id) VALUES (1)") }
                throw Failure(description: "a reader wrote")
            } catch is StorageError {}
            try expectEqual(try await count(database), 0, "rows")
        },
        Conformance("running a closure again with another outcome keeps the last outcome only") { database in
            try await makeScratch(database)
            try await database.write { _ = try $0.run("INSERT INTO scratch (id, n) VALUES (1, 0)") }
            // What a caller does on `conflict`: the same closure, once more.
            let closure: @Sendable (any SQLConnection) throws -> Int64 = { connection in
                let n = try connection.row("SELECT n FROM scratch WHERE id = 1")?.integer("n") ?? -1
                try connection.run("UPDATE scratch SET n = $1 WHERE id = 1", [.integer(n + 1)])
                if n == 0 { throw StorageError(.conflict, "on purpose") }
                return n
            }
            try await database.write { _ = try $0.run("UPDATE scratch SET n = 0") }
            try await expect(.conflict, "the first run") { _ = try await database.write(closure) }
            try await database.write { _ = try $0.run("UPDATE scratch SET n = 7") }
            try expectEqual(try await database.write(closure), 7, "the second run")
        },
        Conformance("a task that is cancelled still gets the true outcome") { database in
            try await makeScratch(database)
            let task = Task { try await database.write { try $0.run("INSERT INTO scratch (id) VALUES (1)") } }
            task.cancel()
            let outcome = await task.result
            try expectEqual(try await count(database), (try? outcome.get()) ?? 0, "rows")
        },
        Conformance("after closing every call is refused, and closing again is harmless") { database in
            await database.close()
            await database.close()
            try await expect(.unreadable, "read") { _ = try await database.read { try $0.rows("SELECT 1 AS one") } }
            try await expect(.unreadable, "write") { _ = try await database.write { try $0.rows("SELECT 1 AS one") } }
        },
        Conformance("closing lets what was accepted finish") { database in
            try await makeScratch(database)
            let tasks = (0..<50).map { id in
                Task {
                    try await database.write {
                        try $0.run("INSERT INTO scratch (id) VALUES ($1)", [.integer(Int64(id))])
                    }
                }
            }
            await database.close()
            for task in tasks {
                do { _ = try await task.value } catch let error as StorageError {
                    try expectEqual(error.code, .unreadable, "code")
                }
            }
        },
    ]

    private static func count(_ database: any SQLDatabase) async throws -> Int {
        try await database.read { try $0.row("SELECT COUNT(*) AS n FROM scratch")?.int("n") ?? -1 }
    }
}
