internal import Storage

extension Conformance {
    /// The tables keep their rules.
    static let tables = [
        Conformance("the schema has the newest version, and migrating again changes nothing") { database in
            try expectEqual(try await database.read { try Schema.version(on: $0) }, Schema.newest(), "version")
            try await database.write { try Schema.migrate($0, at: 9) }
            let rows = try await database.read { try $0.rows("SELECT version FROM schema") }
            try expectEqual(rows.count, Schema.migrations.count, "rows of schema")
        },
        Conformance("a newer schema is refused, with both numbers in the text") { database in
            try await database.write { _ = try $0.run("INSERT INTO schema (version, at) VALUES (99, 0)") }
            do {
                _ = try await database.read { try Schema.version(on: $0) }
                throw Failure(description: "nothing was thrown")
            } catch let error as StorageError {
                try expectEqual(error.code, .newerSchema(found: 99, known: Schema.newest()), "code")
                try expect(error.description.contains("99"), error.description)
                try expect(error.description.contains("\(Schema.newest())"), error.description)
            }
        },
        Conformance("facts are written once") { database in
            let facts = StoreFacts(id: "8f0f3a5e-2c1b-4d8e-9a55-0c3a6a0f7c11", issuer: "urn:uuid:1", createdAt: .max)
            try expectEqual(try await database.read { try StoreFacts.find(on: $0) }, nil, "facts of a new store")
            try await database.write { try facts.insert(on: $0) }
            try await expect(.constraint, "facts twice") { try await database.write { try facts.insert(on: $0) } }
            let found = try await database.read { try StoreFacts.find(on: $0) }
            try expectEqual(found, facts, "facts")
        },
        Conformance("settings are set, replaced and listed by name") { database in
            try await database.write { connection in
                for (name, value) in [("b", "1"), ("a", "2"), ("b", "3")] {
                    try SettingRow(name: name, value: value).save(on: connection)
                }
            }
            try expectEqual(
                try await database.read { try SettingRow.list(on: $0) },
                [SettingRow(name: "a", value: "2"), SettingRow(name: "b", value: "3")], "settings")
            try expectEqual(try await database.read { try SettingRow.find("c", on: $0) }, nil, "a setting never set")
        },
        Conformance("users: names once, changes only to what was read") { database in
            try await database.write { connection in
                for name in ["bob", "alice"] {
                    try UserRow.insert(name: name, password: name == "bob" ? "phc" : nil, at: 5, on: connection)
                }
            }
            try await expect(.constraint, "a name twice") {
                try await database.write { try UserRow.insert(name: "bob", password: nil, at: 6, on: $0) }
            }
            try await expect(.constraint, "a name of 65") {
                let name = String(repeating: "a", count: 65)
                try await database.write { try UserRow.insert(name: name, password: nil, at: 6, on: $0) }
            }
            try expectEqual(
                try await database.read { try UserRow.list(on: $0).map(\.name) }, ["alice", "bob"], "names")
            guard let bob = try await database.read({ try UserRow.find("bob", on: $0) }),
                let alice = try await database.read({ try UserRow.find("alice", on: $0) })
            else { throw Failure(description: "a user is missing") }
            try expectEqual(bob.passwordSetAt, 5, "when bob's password was set")
            try expectEqual(alice.passwordSetAt, nil, "when alice's password was set")
            for start in ["a", "bob", "c"] {
                let hash = try await database.read { try UserRow.someHash(from: start, on: $0) }
                try expectEqual(hash, "phc", "some hash from \(start)")
            }
            try await database.write { try bob.setLocked(true, on: $0) }
            try await expect(.conflict, "a stale user") {
                try await database.write { try bob.setPassword("other", at: 7, on: $0) }
            }
            try await database.write { try alice.setPassword("new", at: 8, on: $0) }
            let after = try await database.read { try UserRow.list(on: $0) }
            try expectEqual(after.map(\.password), ["new", "phc"], "passwords")
            try expectEqual(after.map(\.isLocked), [false, true], "locks")
            try expectEqual(after.map(\.passwordSetAt), [8, 5], "times")
        },
        Conformance("Attack S11: each name has one ledger, unknown ones too, saved only as it was loaded") { database in
            var ledger = try await database.read { try LedgerRow.load("ghost", .stepUp, on: $0) }
            try expectEqual(ledger, LedgerRow(empty: "ghost", .stepUp), "a new ledger")
            ledger.wrong = 2
            ledger.wrongTotal = 5
            ledger.rounds = 1
            ledger.blockedUntil = 77
            ledger.needsOperator = true
            ledger.inFlight = [
                .init(id: "x", ceremony: "c", expiresAt: 2), .init(id: "a", ceremony: "c", expiresAt: 3),
            ]
            let saved = ledger
            try await database.write { try saved.save(at: 1, on: $0) }
            try await expect(.conflict, "two that both began empty") {
                try await database.write { try saved.save(at: 1, on: $0) }
            }
            var found = try await database.read { try LedgerRow.load("ghost", .stepUp, on: $0) }
            try expectEqual(found.version, 1, "version")
            try expectEqual(
                [found.wrong, found.wrongTotal, found.rounds, found.inFlight.count], [2, 5, 1, 2], "numbers")
            try expectEqual(found.blockedUntil, 77, "block")
            try expectEqual(found.inFlight, saved.inFlight, "attempts")
            try expect(found.needsOperator, "needs the operator")
            found.inFlight.removeFirst()
            let next = found
            try await database.write { try next.save(at: 2, on: $0) }
            try await expect(.conflict, "a stale ledger") { try await database.write { try next.save(at: 3, on: $0) } }
            try expectEqual(
                try await database.read { try LedgerRow.load("ghost", .stepUp, on: $0) }.inFlight.map(\.id), ["a"],
                "attempts left")
        },
        Conformance("S1: of parallel takers of one attempt each, none is lost and none goes twice") { database in
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in 0..<50 {
                    group.addTask {
                        try await database.write { connection in
                            var ledger = try LedgerRow.load("alice", .stepUp, on: connection)
                            guard ledger.inFlight.count < 3 else { return false }
                            ledger.inFlight.append(.init(id: "\(id)", ceremony: "c", expiresAt: 9))
                            try ledger.save(at: 1, on: connection)
                            return true
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expectEqual(taken, 3, "attempts taken")
            try expectEqual(
                try await database.read { try LedgerRow.load("alice", .stepUp, on: $0) }.inFlight.count, 3, "in flight")
        },
        Conformance("keys: in order, changed only as read, a revocation needs its time and its reason") { database in
            let keys = [key("b", at: 2), key("a", at: 2, sealed: nil), key("r", at: 1, purpose: .root)]
            try await database.write { for key in keys { try key.insert(on: $0) } }
            try await expect(.constraint, "a kid twice") { try await database.write { try keys[0].insert(on: $0) } }
            let found = try await database.read { try KeyRow.list(on: $0) }
            try expectEqual(found.map { $0.kid.prefix(1) }, ["r", "a", "b"], "order")
            try expectEqual(found.map(\.sealed), [[1, 0, 255], nil, [1, 0, 255]], "private halves")
            try expectEqual(found.map(\.version), [1, 1, 1], "versions")
            var active = found[2]
            active.state = .active
            active.activatedAt = 3
            let activated = active
            try await database.write { try activated.update(on: $0) }
            try await expect(.conflict, "a stale key") { try await database.write { try activated.update(on: $0) } }
            try expectEqual(
                try await database.read { try KeyRow.list(purpose: .sign, state: .active, on: $0) }.map(\.kid),
                [active.kid],
                "active keys")
            guard var revoked = try await database.read({ try KeyRow.find(activated.kid, on: $0) }) else {
                throw Failure(description: "a key is missing")
            }
            revoked.state = .revoked
            revoked.revokedAt = 4
            let halfRevoked = revoked
            try await expect(.constraint, "no reason") { try await database.write { try halfRevoked.update(on: $0) } }
            revoked.revocation = .compromised
            let wholly = revoked
            try await database.write { try wholly.update(on: $0) }
            let last = try await database.read { try KeyRow.find(wholly.kid, on: $0) }
            try expectEqual(last?.revocation, .compromised, "revocation")
            try expectEqual(last?.activatedAt, 3, "activation")
        },
        Conformance("histories: serials once, the newest first") { database in
            try expectEqual(try await database.read { try HistoryRow.newest(on: $0) }, nil, "no history")
            try await database.write { connection in
                for serial: Int64 in [1, 3, 2] {
                    try HistoryRow(serial: serial, at: 1, text: "h").insert(on: connection)
                }
            }
            try expectEqual(try await database.read { try HistoryRow.newest(on: $0)?.serial }, 3, "newest")
            try await expect(.constraint, "a serial twice") {
                try await database.write { try HistoryRow(serial: 3, at: 2, text: "i").insert(on: $0) }
            }
        },
        Conformance("S3, S5: a ceremony is consumed once, a session has one open") { database in
            let first = ceremony("1", session: "s")
            try await database.write { try first.insert(on: $0) }
            try await expect(.constraint, "a second in one session") {
                try await database.write { try ceremony("2", session: "s").insert(on: $0) }
            }
            try await database.write { try ceremony("3", session: "t").insert(on: $0) }
            guard var found = try await database.read({ try CeremonyRow.find("1", on: $0) }) else {
                throw Failure(description: "the ceremony is missing")
            }
            found.state = .completed
            let withoutStatement = found
            try await expect(.constraint, "completed without a statement") {
                try await database.write { try withoutStatement.update(on: $0) }
            }
            found.jti = "j"
            let completed = found
            try await database.write { try completed.update(on: $0) }
            try await expect(.conflict, "consumed twice") { try await database.write { try completed.update(on: $0) } }
            try await database.write { try ceremony("2", session: "s").insert(on: $0) }
            let open = try await database.read { try CeremonyRow.listOpen(userName: "alice", on: $0).map(\.id) }
            try expectEqual(open, ["2", "3"], "open ones")
            try expectEqual(
                try await database.read { try CeremonyRow.listOpen(session: "t", on: $0).map(\.id) }, ["3"],
                "of a session")
            try expectEqual(try await database.read { try CeremonyRow.find("1", on: $0)?.jti }, "j", "jti")
        },
        Conformance("S4: a ceremony expires at its time, not before, and once") { database in
            try await database.write { connection in
                try ceremony("1", session: "a", expiresAt: 100).insert(on: connection)
                try ceremony("2", session: "b", expiresAt: 101).insert(on: connection)
            }
            let stale = try await database.read { try CeremonyRow.find("1", on: $0) }
            let closed = try await database.write { try CeremonyRow.closeExpired(at: 100, on: $0) }
            try expectEqual(closed.map(\.id), ["1"], "closed")
            try expectEqual(closed.map(\.state), [.expired], "state")
            try expectEqual(try await database.write { try CeremonyRow.closeExpired(at: 100, on: $0) }, [], "again")
            if var stale {
                stale.state = .cancelled
                let late = stale
                try await expect(.conflict, "an answer after expiry") {
                    try await database.write { try late.update(on: $0) }
                }
            }
        },
        Conformance("statements: one a ceremony, one a jti, by a key of the store") { database in
            let key = key("k", at: 0)
            try await database.write { try key.insert(on: $0) }
            let first = statement("1", ceremony: "c1", kid: key.kid)
            try await database.write { try first.insert(on: $0) }
            for other in [
                statement("1", ceremony: "c2", kid: key.kid), statement("2", ceremony: "c1", kid: key.kid),
                statement("3", ceremony: "c3", kid: String(repeating: "z", count: 43)),
            ] {
                try await expect(.constraint, "statement \(other.jti)") {
                    try await database.write { try other.insert(on: $0) }
                }
            }
            let byID = try await database.read { try StatementRow.find(jti: "1", on: $0) }
            try expectEqual(byID, first, "by jti")
            let byCeremony = try await database.read { try StatementRow.list(ceremony: "c1", on: $0) }
            try expectEqual(byCeremony, [first], "by ceremony")
            try expectEqual(try await database.read { try StatementRow.find(jti: "9", on: $0) }, nil, "absent")
            // At level 0 a statement is its own ceremony.
            let own = statement("4", ceremony: "4", kid: key.kid)
            try await database.write { try own.insert(on: $0) }
            try await expect(.constraint, "the same once more") { try await database.write { try own.insert(on: $0) } }
            let itself = try await database.read { try StatementRow.list(ceremony: "4", on: $0) }
            try expectEqual(itself, [own], "by itself")
        },
        Conformance("statements of a batch have one place each in their ceremony, and their references") { database in
            let key = key("k", at: 0)
            try await database.write { try key.insert(on: $0) }
            let places = [3, 1, 2]
            let batch = places.map {
                statement("\($0)", ceremony: "b", kid: key.kid, place: $0, reference: $0 == 2 ? nil : "r\($0)")
            }
            try await database.write { connection in for row in batch { try row.insert(on: connection) } }
            try await expect(.constraint, "a place twice") {
                try await database.write {
                    try statement("4", ceremony: "b", kid: key.kid, place: 2).insert(on: $0)
                }
            }
            let found = try await database.read { try StatementRow.list(ceremony: "b", on: $0) }
            try expectEqual(found, [batch[1], batch[2], batch[0]], "in their order")
            let byID = try await database.read { try StatementRow.find(jti: "3", on: $0) }
            try expectEqual(byID, batch[0], "by jti")
            try expectEqual(
                try await database.read { try StatementRow.list(ceremony: "c", on: $0) }, [], "of another ceremony")
        },
        Conformance("a ceremony has its batch while it is open, and lets go of it when it ends") { database in
            for (id, state) in [("a", CeremonyRow.State.completed), ("b", .cancelled)] {
                let row = ceremony(id, session: id, batch: "[[\"p\",\"r\"]]")
                try await database.write { try row.insert(on: $0) }
                try await database.write { connection in
                    var found = try CeremonyRow.find(id, on: connection)
                    try expectEqual(found?.batch, row.batch, "kept")
                    found?.wrong += 1
                    try found?.update(on: connection)
                    found = try CeremonyRow.find(id, on: connection)
                    try expectEqual(found?.batch, row.batch, "kept after a wrong answer")
                    found?.state = state
                    if state == .completed { found?.jti = "j" }
                    try found?.update(on: connection)
                    try expectEqual(try CeremonyRow.find(id, on: connection)?.batch, nil, "gone with its end")
                }
            }
            let last = ceremony("c", session: "c", batch: "[]")
            try await database.write { connection in
                try last.insert(on: connection)
                try expectEqual(
                    try CeremonyRow.closeExpired(at: 120_000, on: connection).map(\.batch), [nil], "gone with its time")
            }
        },
        Conformance("statements are listed newest first, narrowed, in pages, found by words in either case") {
            database in
            let (k, l) = (key("k", at: 0), key("l", at: 0))
            try await database.write { connection in
                try k.insert(on: connection)
                try l.insert(on: connection)
                for id in 1...25 {
                    let special = [3: "100% ÄPFEL", 4: "100x äpfel", 5: "a_b", 6: "aXb", 7: "wow!"][id]
                    try statement(
                        "\(id)", ceremony: "c\(id)", kid: id <= 10 ? k.kid : l.kid, at: Int64(id),
                        user: id % 5 == 0 ? "bob" : "alice", level: id == 20 ? 4 : 1, payload: special ?? "text"
                    ).insert(on: connection)
                }
            }
            func found(_ filter: StatementRow.Filter, _ page: Page = .first) async throws -> [Int64] {
                let rows = try await database.read { try StatementRow.list(filter, page: page, on: $0) }
                if page == .first {
                    try expectEqual(
                        try await database.read { try StatementRow.count(filter, on: $0) }, rows.count, "count")
                }
                return rows.map(\.issuedAt)
            }
            try expectEqual(try await found(.init()), (1...25).reversed(), "all")
            try expectEqual(try await found(.init(userName: "bob")), [25, 20, 15, 10, 5], "by user")
            try expectEqual(try await found(.init(since: 10, until: 13)), [12, 11, 10], "by time")
            try expectEqual(try await found(.init(userName: "bob", kid: k.kid)), [10, 5], "by user and key")
            try expectEqual(try await found(.init(level: 4)), [20], "by level")
            try expectEqual(try await found(.init(keyword: "äPFel")), [4, 3], "by word")
            try expectEqual(try await found(.init(keyword: "100%")), [3], "a percent sign is itself")
            try expectEqual(try await found(.init(keyword: "A_B")), [5], "an underscore is itself")
            try expectEqual(try await found(.init(keyword: "w!")), [7], "the escape is itself")
            try expectEqual(try await found(.init(keyword: "REASON OF 12")), [12], "in the reason")
            try expectEqual(try await found(.init(keyword: "' OR 1=1 --")), [], "a word is no SQL")
            for (start, count, expected) in [(1, 2, [25, 24]), (24, 10, [2, 1]), (26, 1, [])] {
                guard let page = Page(startIndex: start, count: count) else { throw Failure(description: "a page") }
                try expectEqual(try await found(.init(), page), expected.map(Int64.init), "page from \(start)")
            }
            for (start, count) in [(0, 1), (-1, 1), (1, 0), (1, Page.limit + 1), (.min, .min)] {
                try expect(Page(startIndex: start, count: count) == nil, "a page from \(start) of \(count)")
            }
        },
        Conformance("limits of the schema: level, type, lengths") { database in
            let key = key("k", at: 0)
            try await database.write { try key.insert(on: $0) }
            let long = String(repeating: "a", count: 4097)
            for row in [
                statement("1", ceremony: "c", kid: key.kid, level: 2),
                statement("1", ceremony: "c", kid: key.kid, payload: ""),
                statement("1", ceremony: "c", kid: key.kid, payload: long),
            ] {
                try await expect(.constraint, "level \(row.level)") {
                    try await database.write { try row.insert(on: $0) }
                }
            }
        },
        Conformance("audit: numbered without gaps, listed newest first, with the newest time") { database in
            try expectEqual(try await database.read { try AuditRow.newestRecordedTime(on: $0) }, nil, "of a new store")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<60 {
                    group.addTask {
                        try await database.write { connection in
                            let user = id % 2 == 0 ? "alice" : nil
                            try AuditRow(at: Int64(id), event: "signed", userName: user, result: 0).append(
                                on: connection)
                            if id % 3 == 0 { throw Failure(description: "on purpose") }
                        }
                    }
                }
                while true { do { if try await group.next() == nil { break } } catch is Failure {} }
            }
            let rows = try await database.read { try AuditRow.list(on: $0) }
            try expectEqual(rows.map(\.seq), (1...40).reversed().map { Int64($0) }, "numbers")
            try expectEqual(try await database.read { try AuditRow.newestRecordedTime(on: $0) }, 59, "newest time")
            try expectEqual(
                try await database.read { try AuditRow.list(.init(before: 4), on: $0).map(\.seq) }, [3, 2, 1],
                "what is before")
            let full = AuditRow(
                at: 1, event: "refused", userName: "u", ceremony: "c", jti: "j",
                digest: String(repeating: "0", count: 64), length: 5, level: 7, type: -1, method: "pwd", result: 102,
                detail: "d")
            try await database.write { try full.append(on: $0) }
            let found = try await database.read { try AuditRow.list(.init(event: "refused", jti: "j"), on: $0) }
            try expectEqual(found.count, 1, "found")
            try expectEqual(found.first?.seq, 41, "number")
            try expectEqual(found.first?.type, -1, "type")
            try expectEqual(found.first?.detail, "d", "detail")
            try expectEqual(
                try await database.read { try AuditRow.count(.init(userName: "alice"), on: $0) }, 20, "count")
            try expectEqual(
                try await database.read { try AuditRow.newestRecordedTime(on: $0) }, 59,
                "the newest time is not the last")
        },
    ]

    private static func key(
        _ name: String, at: Int64, purpose: KeyRow.Purpose = .sign, sealed: [UInt8]? = [1, 0, 255]
    ) -> KeyRow {
        KeyRow(
            kid: name + String(repeating: "-", count: 42), purpose: purpose, algorithm: "ES256", jwk: "{}",
            sealed: sealed,
            publishedAt: at)
    }

    private static func ceremony(
        _ id: String, session: String, expiresAt: Int64 = 120_000, batch: String? = nil
    ) -> CeremonyRow {
        CeremonyRow(
            id: id, session: session, userName: "alice", generation: 1, state: .challenged, payload: "p", reason: "r",
            level: 1, type: 0, audience: nil, batch: batch, issuedAt: 0, expiresAt: expiresAt)
    }

    private static func statement(
        _ jti: String, ceremony: String, kid: String, at: Int64 = 1, user: String = "alice", level: Int = 1,
        payload: String = "text", place: Int = 0, reference: String? = nil
    ) -> StatementRow {
        StatementRow(
            jti: jti, ceremony: ceremony, userName: user, issuedAt: at, level: level, type: 0, kid: kid,
            payload: payload,
            reason: "Reason of \(at)", audience: nil, text: "a.b.c", place: place,
            reference: reference)
    }
}
