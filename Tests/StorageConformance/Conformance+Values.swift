internal import Storage

extension Conformance {
    /// Values come back as they went in, to the place that was named.
    static let values = [
        Conformance("values are bound by name, in whatever order the names stand") { database in
            let row = try await database.read {
                try $0.row("SELECT $2 AS b, $1 AS a, $2 AS c", [.text("1"), .text("2")])
            }
            try expectEqual(row?.text("a"), "1", "$1")
            try expectEqual(row?.text("b"), "2", "$2")
            try expectEqual(row?.text("c"), "2", "$2 again")
        },
        Conformance("more than nine values keep their places") { database in
            let sql = "SELECT " + (1...12).reversed().map { "$\($0) AS c\($0)" }.joined(separator: ", ")
            let row = try await database.read { try $0.row(sql, (1...12).map { .text("v\($0)") }) }
            for index in 1...12 { try expectEqual(row?.text("c\(index)"), "v\(index)", "$\(index)") }
        },
        Conformance("a missing value is refused, not taken for NULL") { database in
            let isRefused = try await database.read { connection in
                do {
                    _ = try connection.rows("SELECT $1 AS a, $2 AS b", [.integer(1)])
                    return false
                } catch is StorageError {
                    return true
                }
            }
            try expect(isRefused, "one value for two places")
        },
        Conformance("each kind of value comes back the same") { database in
            let all: [SQLValue] = [
                .null, .integer(0), .integer(-1), .integer(.min), .integer(.max), .text(""), .text("'\";--\\ $1 ? %"),
                .text("👨‍👩‍👧‍👦 e\u{301} \u{FFFD} \u{10FFFF}"), .text(String(repeating: "ß", count: 65_536)),
                .bytes([]), .bytes([0]), .bytes(Array(0...255)), .bytes([UInt8](repeating: 255, count: 70_000)),
            ]
            try await makeScratch(database)
            try await database.write { connection in
                for (index, value) in all.enumerated() {
                    let (text, number, bytes) = columns(for: value)
                    try connection.run(
                        "INSERT INTO scratch (id, t, n, b) VALUES ($1, $2, $3, $4)",
                        [.integer(Int64(index)), text, number, bytes])
                }
            }
            let rows = try await database.read { try $0.rows("SELECT id, t, n, b FROM scratch ORDER BY id") }
            try expectEqual(rows.count, all.count, "rows")
            for (row, value) in zip(rows, all) {
                let (text, number, bytes) = columns(for: value)
                try expectEqual(
                    [try row.value("t"), try row.value("n"), try row.value("b")], [text, number, bytes], "row")
            }
        },
        Conformance("text is compared by its bytes: NFC and NFD, upper and lower case differ") { database in
            try await makeScratch(database)
            try await database.write { connection in
                for (id, text) in [(1, "\u{E9}"), (2, "e\u{301}"), (3, "E"), (4, "e")] {
                    try connection.run(
                        "INSERT INTO scratch (id, t) VALUES ($1, $2)", [.integer(Int64(id)), .text(text)])
                }
            }
            for (id, text) in [(1, "\u{E9}"), (2, "e\u{301}"), (3, "E"), (4, "e")] {
                let rows = try await database.read { try $0.rows("SELECT id FROM scratch WHERE t = $1", [.text(text)]) }
                try expectEqual(try rows.map { try $0.int("id") }, [id], "rows for \(text.unicodeScalars)")
            }
        },
        Conformance("text with a NUL is refused, not cut") { database in
            try await makeScratch(database)
            try await expect(.constraint, "NUL") {
                try await database.write {
                    _ = try $0.run("INSERT INTO scratch (id, t) VALUES (1, $1)", [.text("a\0b")])
                }
            }
        },
        Conformance("rows come in the order that was asked for, and counts are of this statement") { database in
            try await makeScratch(database)
            let counts = try await database.write { connection in
                [
                    try connection.run("INSERT INTO scratch (id, n) VALUES (3, 1), (1, 1), (2, 2)"),
                    try connection.run("UPDATE scratch SET n = 5 WHERE n = 1"),
                    try connection.run("UPDATE scratch SET n = 5 WHERE n = 99"),
                    try connection.run("CREATE TABLE scratch2 (id BIGINT)"),
                    try connection.run("INSERT INTO scratch (id) VALUES (1) ON CONFLICT (id) DO NOTHING"),
                    try connection.rows("DELETE FROM scratch WHERE id = $1 RETURNING id", [.integer(2)]).count,
                ]
            }
            try expectEqual(counts, [3, 2, 0, 0, 0, 1], "counts")
            let ids = try await database.read {
                try $0.rows("SELECT id FROM scratch ORDER BY id DESC").map { try $0.int("id") }
            }
            try expectEqual(ids, [3, 1], "order")
        },
        Conformance("a value of another type than asked for is called damage") { database in
            let row = try await database.read {
                try $0.row("SELECT CAST($1 AS BIGINT) AS n, $2 AS t", [.integer(2), .text("x")])
            }
            for wrong: (SQLRow) throws -> Void in [
                { _ = try $0.text("n") }, { _ = try $0.integer("t") }, { _ = try $0.bytes("t") },
                { _ = try $0.flag("n") },
                { _ = try $0.text("absent") }, { _ = try $0.word("t", KeyRow.State.self) },
            ] {
                try await expect(.corrupt, "a wrong getter") { if let row { try wrong(row) } }
            }
        },
    ]

    static func makeScratch(_ database: any SQLDatabase) async throws {
        try await database.write { connection in
            _ = try connection.run("CREATE TABLE scratch (id BIGINT NOT NULL PRIMARY KEY, t TEXT, n BIGINT, b BYTEA)")
        }
    }

    private static func columns(for value: SQLValue) -> (text: SQLValue, number: SQLValue, bytes: SQLValue) {
        switch value {
        case .null: (.null, .null, .null)
        case .text: (value, .null, .null)
        case .integer: (.null, value, .null)
        case .bytes: (.null, .null, value)
        }
    }
}
