import Storage
import StorageSQLite
import Testing

@Suite("From version 2 to version 3")
struct VersionThreeTests {
    private static let print = String(repeating: "a", count: 43)
    private static let otherPrint = String(repeating: "b", count: 43)

    /// A store as version 2 left it, with devices and what refers to them.
    private func makeOld(_ store: TemporaryStore) async throws {
        let second = Array(Schema.migrations.prefix(2))
        try await SQLiteDatabase.create(at: store.path, time: 1, migrations: second) { connection in
            for sql in [
                "INSERT INTO users VALUES ('alice', 'phc', 0, 1, 1, 1)",
                "INSERT INTO devices VALUES ('d1', 'alice', 'phone', '\(Self.print)', '{}', 'active', 5, 6, 3)",
                "INSERT INTO devices VALUES ('d2', 'alice', 'old', '\(Self.otherPrint)', '{}', 'deleted', 2, 3, 2)",
                """
                INSERT INTO sessions (id, role, user_name, device, thumbprint, access, auth_time, created_at,
                    last_used_at, expires_at, access_expires_at)
                VALUES ('s', 'person', 'alice', 'd1', '\(Self.print)', zeroblob(32), 1, 1, 1, 99, 99)
                """,
                "INSERT INTO refreshes VALUES (zeroblob(32), 's', NULL)",
            ] { try connection.run(sql) }
        }
    }

    @Test("Devices keep their state, are activated when they were enrolled, and their sessions live on")
    func carriesOver() async throws {
        let store = try TemporaryStore()
        try await makeOld(store)
        for _ in 0..<2 {
            let database = try await store.open()
            let (devices, session) = try await database.read { connection in
                (
                    try DeviceRow.list(userName: "alice", on: connection),
                    try SessionRow.find(access: [UInt8](repeating: 0, count: 32), at: 5, on: connection)
                )
            }
            #expect(devices.map(\.id) == ["d2", "d1"])
            #expect(devices.map(\.state) == [.deleted, .active])
            #expect(devices.map(\.activatedAt) == [2, 5])
            #expect(devices.map(\.blockedAt) == [nil, nil])
            #expect(devices.map(\.version) == [2, 3])
            #expect(session?.device == "d1")
            let broken = try await database.read { connection in
                try connection.rows("PRAGMA foreign_key_check").count
            }
            #expect(broken == 0)
            await database.close()
        }
    }

    @Test("The migrated table takes the three states and no other, and still no key twice")
    func constraints() async throws {
        let store = try TemporaryStore()
        try await makeOld(store)
        let database = try await store.open()
        _ = try await database.write { connection in
            try connection.run("UPDATE devices SET state = 'blocked', blocked_at = 7 WHERE id = 'd1'")
        }
        for sql in [
            "UPDATE devices SET state = 'lost' WHERE id = 'd1'",
            "UPDATE devices SET thumbprint = '\(Self.otherPrint)' WHERE id = 'd1'",
        ] {
            let refused = try await code {
                _ = try await database.write { connection in
                    try connection.run(sql)
                }
            }
            #expect(refused == .constraint)
        }
        await database.close()
    }
}
