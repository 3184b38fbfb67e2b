internal import Storage

extension Conformance {
    /// The tables of those who may call a service keep their rules.
    static let principals = [
        Conformance("O02: step-up and log-in count apart, with attempts of their own") { database in
            try await database.write { connection in
                for purpose in LedgerRow.Purpose.allCases {
                    var ledger = LedgerRow(empty: "alice", purpose)
                    ledger.wrong = purpose == .login ? 2 : 1
                    ledger.inFlight = [.init(id: purpose.rawValue, ceremony: "c", expiresAt: 9)]
                    try ledger.save(at: 1, on: connection)
                }
                var login = try LedgerRow.load("alice", .login, on: connection)
                login.inFlight = []
                try login.save(at: 2, on: connection)
            }
            let ledgers = try await database.read { connection in
                try LedgerRow.Purpose.allCases.map { try LedgerRow.load("alice", $0, on: connection) }
            }
            try expectEqual(ledgers.map(\.wrong), [1, 2], "wrong answers")
            try expectEqual(ledgers.map(\.inFlight.count), [1, 0], "attempts")
        },
        Conformance("D9: a key is one device's for ever; a device is changed only as it was read") { database in
            try await database.write { try UserRow.insert(name: "alice", password: nil, at: 1, on: $0) }
            let first = device("1", thumbprint: "a")
            try await database.write { try first.insert(on: $0) }
            try await expect(.constraint, "a key twice") {
                try await database.write { try device("2", thumbprint: "a").insert(on: $0) }
            }
            try await expect(.constraint, "nobody's device") {
                try await database.write { try device("2", user: "nobody", thumbprint: "b").insert(on: $0) }
            }
            guard var found = try await database.read({ try DeviceRow.find("1", on: $0) }) else {
                throw Failure(description: "the device is missing")
            }
            let print = first.thumbprint
            try expect(
                try await database.read { try DeviceRow.activeDevice(print, of: "bob", on: $0) } == nil,
                "somebody else's")
            found.state = .deleted
            let deleted = found
            try await database.write { try deleted.update(on: $0) }
            try await expect(.conflict, "a stale device") { try await database.write { try deleted.update(on: $0) } }
            try expect(
                try await database.read { try DeviceRow.activeDevice(print, of: "alice", on: $0) } == nil,
                "a deleted one")
            try expectEqual(
                try await database.read { try DeviceRow.find(thumbprint: print, on: $0)?.state }, .deleted, "state")
            try await database.write { try DeviceRow.touch("1", at: 50, on: $0) }
            try await database.write { try DeviceRow.touch("1", at: 40, on: $0) }
            try expectEqual(
                try await database.read { try DeviceRow.list(userName: "alice", on: $0).map(\.lastAccessAt) }, [50],
                "last access")
        },
        Conformance("D4: a blocked device is none until it is unblocked; nothing else of it changes") { database in
            try await database.write { connection in
                try UserRow.insert(name: "alice", password: nil, at: 1, on: connection)
                try device("1", thumbprint: "a").insert(on: connection)
            }
            let print = device("1", thumbprint: "a").thumbprint
            for (state, at) in [(DeviceRow.State.blocked, Int64(7)), (.active, nil)] {
                try await database.write { connection in
                    var row = try DeviceRow.find("1", on: connection)
                    row?.state = state
                    row?.blockedAt = at
                    try row?.update(on: connection)
                }
                let (found, active) = try await database.read { connection in
                    (
                        try DeviceRow.find("1", on: connection),
                        try DeviceRow.activeDevice(print, of: "alice", on: connection)
                    )
                }
                try expectEqual(found?.state, state, "state")
                try expectEqual(found?.blockedAt, at, "when")
                try expectEqual(found?.activatedAt, 1, "activated")
                try expectEqual(active == nil, state == .blocked, "active")
            }
        },
        Conformance("D7: the changes of a user's devices are one row, changed only as it was read") { database in
            try await database.write { try UserRow.insert(name: "alice", password: nil, at: 1, on: $0) }
            let empty = try await database.read { try DeviceChangesRow.load("alice", on: $0) }
            try expectEqual(empty.times, [], "none yet")
            var first = empty
            first.times = [5, 5, 9]
            first.until = 77
            let written = first
            try await database.write { try written.save(on: $0) }
            try await expect(.conflict, "a second first") { try await database.write { try empty.save(on: $0) } }
            let found = try await database.read { try DeviceChangesRow.load("alice", on: $0) }
            try expectEqual(found.times, [5, 5, 9], "times")
            try expectEqual(found.until, 77, "until")
            try await database.write { try found.save(on: $0) }
            try await expect(.conflict, "a stale one") { try await database.write { try found.save(on: $0) } }
        },
        Conformance("clients: names once, a secret or a key, changed only as read") { database in
            let secret = ClientRow(name: "shop", secret: hash(1), jwk: nil, createdAt: 1)
            try await database.write { try secret.insert(on: $0) }
            for (what, row) in [
                ("a name twice", secret), ("both", ClientRow(name: "b", secret: hash(1), jwk: "{}", createdAt: 1)),
                ("neither", ClientRow(name: "b", secret: nil, jwk: nil, createdAt: 1)),
            ] {
                try await expect(.constraint, what) { try await database.write { try row.insert(on: $0) } }
            }
            guard let found = try await database.read({ try ClientRow.find("shop", on: $0) }) else {
                throw Failure(description: "the client is missing")
            }
            try await database.write { try found.setLocked(true, on: $0) }
            try await expect(.conflict, "a stale client") {
                try await database.write { try found.setLocked(false, on: $0) }
            }
            try expectEqual(try await database.read { try ClientRow.list(on: $0).map(\.isLocked) }, [true], "locks")
        },
        Conformance("attack D4: a token is dead with its time, its user, its client or its device") { database in
            try await makePrincipals(database)
            func found(_ number: UInt8, at: Int64 = 5) async throws -> String? {
                try await database.read { try SessionRow.find(access: hash(number), at: at, on: $0)?.id }
            }
            try expectEqual(try await found(1), "person", "a person's")
            try expectEqual(try await found(2), "service", "a service's")
            try expectEqual(try await found(3), "operator", "an operator's")
            try expectEqual(try await found(4), nil, "nobody's")
            try expectEqual(try await found(1, at: 9), "person", "in the last moment")
            try expectEqual(try await found(1, at: 10), nil, "after the token's end")
            let alive = try await database.read { try SessionRow.find("person", at: 99, on: $0)?.id }
            try expectEqual(alive, "person", "by its id")
            try expectEqual(try await database.read { try SessionRow.find("person", at: 100, on: $0)?.id }, nil, "over")
            try await database.write { connection in
                try UserRow.find("alice", on: connection)?.setLocked(true, on: connection)
            }
            try expectEqual(try await found(1), nil, "of a locked user")
            try await database.write { connection in
                try UserRow.find("alice", on: connection)?.setLocked(false, on: connection)
                var device = try DeviceRow.find("d", on: connection)
                device?.state = .blocked
                try device?.update(on: connection)
                try ClientRow.find("shop", on: connection)?.setLocked(true, on: connection)
            }
            try expectEqual(try await found(1), nil, "of a blocked device")
            try await database.write { connection in
                var device = try DeviceRow.find("d", on: connection)
                device?.state = .deleted
                try device?.update(on: connection)
            }
            try expectEqual(try await found(1), nil, "of a deleted device")
            try expectEqual(try await found(2), nil, "of a locked client")
            try expectEqual(try await found(3), "operator", "an operator's, still")
        },
        Conformance("sessions: listed and ended by owner, forgotten after their time") { database in
            try await makePrincipals(database)
            try expectEqual(
                try await database.read { try SessionRow.list(.user("alice"), at: 5, on: $0).map(\.deviceName) },
                ["phone"], "of alice")
            try expectEqual(
                try await database.read { try SessionRow.list(.operators, at: 5, on: $0).map(\.id) }, ["operator"], "")
            try expectEqual(
                try await database.write { try SessionRow.delete(.client("shop"), except: "service", on: $0) }, [],
                "but for one")
            try expectEqual(
                try await database.write { try SessionRow.delete(.client("shop"), on: $0) }, ["service"], "ended")
            try await database.write { try SessionRow.deleteExpired(at: 100, on: $0) }
            try expectEqual(try await database.read { try SessionRow.find("operator", at: 0, on: $0)?.id }, nil, "over")
            try await expect(.constraint, "a person's session without a device") {
                let row = SessionRow(
                    id: "x", role: .person, userName: "alice", thumbprint: thumbprint("a"), access: hash(9),
                    authTime: 1, createdAt: 1, expiresAt: 9, accessExpiresAt: 9)
                try await database.write { try row.insert(on: $0) }
            }
        },
        Conformance("RFC 9700 4.14: of twenty that use a refresh token at once, one does; it goes with its session") {
            database in
            try await makePrincipals(database)
            let token = RefreshRow(hash: hash(7), session: "person")
            try await database.write { try token.insert(on: $0) }
            let used = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 { group.addTask { try await database.write { try token.use(at: 5, on: $0) } } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expectEqual(used, 1, "uses")
            try expectEqual(try await database.read { try RefreshRow.find(hash(7), on: $0)?.usedAt }, 5, "time of use")
            try await database.write { try RefreshRow.deleteUsed(before: 5, on: $0) }
            try expect(try await database.read { try RefreshRow.find(hash(7), on: $0) } != nil, "kept")
            try await database.write { try SessionRow.delete("person", on: $0) }
            try expectEqual(try await database.read { try RefreshRow.find(hash(7), on: $0) }, nil, "after the session")
        },
        Conformance("attack D5: a user has one activation code; it is used once, and only the very same") { database in
            try await makePrincipals(database)
            let first = activation("AAAA", tag: 1)
            try expect(try await database.write { try first.replace(on: $0) }, "the first")
            try expect(
                try await database.write { try !activation("AAAA", user: "bob", tag: 2).replace(on: $0) },
                "another user's selector")
            let second = activation("BBBB", tag: 3)
            try expect(try await database.write { try second.replace(on: $0) }, "the second")
            try expectEqual(try await database.read { try ActivationRow.find("AAAA", at: 1, on: $0) }, nil, "replaced")
            try await database.write { try second.countWrong(on: $0) }
            let wrong = try await database.read { try ActivationRow.find("BBBB", at: 99, on: $0)?.wrong }
            try expectEqual(wrong, 1, "wrong guesses")
            try expectEqual(try await database.read { try ActivationRow.find("BBBB", at: 100, on: $0) }, nil, "its end")
            try expect(try await database.write { try !activation("BBBB", tag: 4).use(on: $0) }, "another code")
            try expect(try await database.write { try second.use(on: $0) }, "used")
            try expect(try await database.write { try !second.use(on: $0) }, "used twice")
        },
        Conformance("an operator's token: the newest, once, in its time") { database in
            try await database.write { try OperatorTokenRow.replace(hash: hash(1), expiresAt: 10, on: $0) }
            try await database.write { try OperatorTokenRow.replace(hash: hash(2), expiresAt: 10, on: $0) }
            for (number, at, isUsed) in [(1, 5, false), (2, 10, false), (2, 9, true), (2, 9, false)] {
                try expectEqual(
                    try await database.write { connection in
                        try OperatorTokenRow.use(hash: hash(UInt8(number)), at: Int64(at), on: connection)
                    }, isUsed, "token \(number) at \(at)")
            }
        },
        Conformance("attack A9: one kept reply for each owner and key, forgotten after its time") { database in
            let body = ReplyRow(owner: "a", key: "k", digest: hash(1), content: .body(status: 201, sealed: [0]), at: 5)
            let other = ReplyRow(owner: "b", key: "k", digest: hash(2), content: .ceremony("c"), at: 6)
            try await database.write { connection in
                try body.insert(replacing: 0, on: connection)
                try other.insert(replacing: 0, on: connection)
            }
            try await expect(.constraint, "the same again") {
                try await database.write { try body.insert(replacing: 5, on: $0) }
            }
            try expectEqual(
                try await database.read { try ReplyRow.find(owner: "a", key: "k", since: 5, on: $0) }, .some(body),
                "a body")
            try expectEqual(
                try await database.read { try ReplyRow.find(owner: "b", key: "k", since: 0, on: $0) }, .some(other),
                "a ceremony")
            try expectEqual(
                try await database.read { try ReplyRow.find(owner: "a", key: "k", since: 6, on: $0) }, nil, "too old")
            try await database.write { try body.insert(replacing: 6, on: $0) }
            try await database.write { try ReplyRow.delete(before: 6, on: $0) }
            let left = try await database.read { try $0.rows("SELECT owner FROM replies").map { try $0.text("owner") } }
            try expectEqual(left, ["b"], "left")
        },
        Conformance("what is over is forgotten a bounded number at a time, so that nobody waits long") { database in
            let left = try await database.write { connection in
                for number in 0..<(Page.limit + 5) {
                    try ReplyRow(owner: "o", key: "\(number)", digest: hash(1), content: .ceremony("c"), at: 1)
                        .insert(replacing: 0, on: connection)
                }
                try ReplyRow.delete(before: 2, on: connection)
                return try connection.rows("SELECT COUNT(*) AS n FROM replies").map { try $0.int("n") }
            }
            try expectEqual(left, [5], "left after the first time")
        },
    ]

    private static func hash(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    private static func thumbprint(_ name: String) -> String { name + String(repeating: "-", count: 42) }

    private static func device(_ id: String, user: String = "alice", thumbprint name: String) -> DeviceRow {
        DeviceRow(id: id, userName: user, name: "phone", thumbprint: thumbprint(name), jwk: "{}", createdAt: 1)
    }

    private static func activation(_ selector: String, user: String = "alice", tag: UInt8) -> ActivationRow {
        ActivationRow(selector: selector, userName: user, tag: hash(tag), createdAt: 1, expiresAt: 100)
    }

    /// Alice with a device, a shop, and a session of each, and an operator's.
    private static func makePrincipals(_ database: any SQLDatabase) async throws {
        try await database.write { connection in
            for name in ["alice", "bob"] { try UserRow.insert(name: name, password: nil, at: 1, on: connection) }
            try device("d", thumbprint: "a").insert(on: connection)
            try ClientRow(name: "shop", secret: hash(1), jwk: nil, createdAt: 1).insert(on: connection)
            for (number, role) in [(UInt8(1), SessionRow.Role.person), (2, .service), (3, .operator)] {
                try SessionRow(
                    id: role.rawValue, role: role, userName: role == .person ? "alice" : nil,
                    device: role == .person ? "d" : nil, client: role == .service ? "shop" : nil,
                    thumbprint: thumbprint("a"), access: hash(number), authTime: 1, createdAt: 1, expiresAt: 100,
                    accessExpiresAt: 10
                ).insert(on: connection)
            }
        }
    }
}
