import Storage
import StorageSQLite
import Testing

@Suite("From version 1 to version 2")
struct VersionTwoTests {
    private static let first = Array(Schema.migrations.prefix(1))

    /// A store as version 1 left it, with rows in each table that the migration touches or refers to.
    private func makeOld(_ store: TemporaryStore) async throws {
        try await SQLiteDatabase.create(at: store.path, time: 1, migrations: Self.first) { connection in
            for sql in [
                "INSERT INTO users VALUES ('alice', 'phc', 0, 1, 1, 1)",
                "INSERT INTO ledgers VALUES ('alice', 2, 5, 1, 77, 1, 3, 4)",
                "INSERT INTO ledgers VALUES ('ghost', 0, 0, 0, NULL, 0, 3, 1)",
                "INSERT INTO attempts VALUES ('a1', 'alice', 'c1', 9)",
                "INSERT INTO attempts VALUES ('a2', 'alice', 'c2', 8)",
                "INSERT INTO attempts VALUES ('g1', 'ghost', 'c3', 7)",
                """
                INSERT INTO keys (kid, purpose, algorithm, state, jwk, published_at, version)
                VALUES ('0123456789012345678901234567890123456789012', 'sign', 'ES256', 'active', '{}', 1, 1)
                """,
                """
                INSERT INTO statements VALUES ('j', 'c', 'alice', 5, 1, 0,
                    '0123456789012345678901234567890123456789012', 'p', 'r', NULL, 'a.b.c', 'p r')
                """,
            ] { try connection.run(sql) }
        }
    }

    @Test("Counts, blocks and attempts are carried over as those of step-up; nothing stands at the door")
    func carriesOver() async throws {
        let store = try TemporaryStore()
        try await makeOld(store)
        let database = try await store.open()
        let (alice, ghost, login) = try await database.read { connection in
            (
                try LedgerRow.load("alice", .stepUp, on: connection),
                try LedgerRow.load("ghost", .stepUp, on: connection),
                try LedgerRow.load("alice", .login, on: connection)
            )
        }
        #expect([alice.wrong, alice.wrongTotal, alice.rounds, Int(alice.version)] == [2, 5, 1, 4])
        #expect(alice.blockedUntil == 77)
        #expect(alice.needsOperator)
        #expect(alice.inFlight.map(\.id) == ["a2", "a1"])
        #expect(alice.inFlight.map(\.ceremony) == ["c2", "c1"])
        #expect(ghost.inFlight.map(\.id) == ["g1"])
        #expect(login == LedgerRow(empty: "alice", .login))
        #expect(try await database.read { try StatementRow.find(jti: "j", on: $0)?.payload } == "p")
        let left = try await database.read { connection in
            try connection.rows("SELECT name FROM sqlite_master WHERE name LIKE '%before%'").count
        }
        #expect(left == 0)
        await database.close()
    }

    @Test("The migrated store works: ledgers are saved, attempts go with theirs, and it opens again")
    func works() async throws {
        let store = try TemporaryStore()
        try await makeOld(store)
        for round in 0..<2 {
            let database = try await store.open()
            try await database.write { connection in
                var ledger = try LedgerRow.load("alice", .stepUp, on: connection)
                ledger.inFlight = [.init(id: "n\(round)", ceremony: "c", expiresAt: 9)]
                try ledger.save(at: 5, on: connection)
                try connection.run("DELETE FROM ledgers WHERE user_name = 'ghost'")
            }
            let attempts = try await database.read { try $0.rows("SELECT id FROM attempts").map { try $0.text("id") } }
            #expect(attempts == ["n\(round)"])
            let broken = try await database.read { try $0.rows("PRAGMA foreign_key_check").count }
            #expect(broken == 0)
            await database.close()
        }
    }

    @Test("The queries of each request and each tidying use an index")
    func indexes() async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        for sql in [
            "SELECT * FROM sessions s LEFT JOIN users u ON u.name = s.user_name WHERE s.access = x'00'",
            "SELECT id FROM sessions WHERE expires_at <= 5 ORDER BY expires_at LIMIT 1000",
            "SELECT hash FROM refreshes WHERE used_at IS NOT NULL AND used_at < 5 ORDER BY used_at LIMIT 1000",
            "SELECT owner, key FROM replies WHERE at < 5 ORDER BY at LIMIT 1000",
            "DELETE FROM activations WHERE expires_at <= 5",
            "SELECT id FROM ceremonies WHERE state <> 'challenged' AND expires_at < 5 ORDER BY expires_at LIMIT 1000",
            "SELECT id FROM sessions WHERE user_name = 'a' ORDER BY created_at DESC, id DESC LIMIT 9 OFFSET 99",
            "SELECT id FROM sessions WHERE role = 'operator' AND role = 'a' ORDER BY created_at DESC LIMIT 9 OFFSET 99",
            "SELECT password FROM users WHERE password IS NOT NULL AND name >= 'k' ORDER BY name LIMIT 1",
            "SELECT * FROM audit WHERE seq < 500 ORDER BY seq DESC LIMIT 1000",
            "SELECT * FROM statements WHERE audience = 'a' ORDER BY issued_at DESC LIMIT 10",
            "SELECT * FROM statements WHERE user_name = 'a' ORDER BY issued_at DESC LIMIT 10",
            "SELECT * FROM devices WHERE user_name = 'a' ORDER BY created_at, id",
            "DELETE FROM sessions WHERE device = 'd' AND id <> '' RETURNING id",
            "SELECT * FROM device_changes WHERE user_name = 'a'",
        ] {
            let plan = try await database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql).map { try $0.text("detail") }
            }
            // To go through an index of operators' sessions alone is to look only at what is asked for.
            let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.hasSuffix("INDEX sessions_of_operators") }
            #expect(scans.isEmpty, "\(sql): \(plan)")
        }
        await database.close()
    }
}
