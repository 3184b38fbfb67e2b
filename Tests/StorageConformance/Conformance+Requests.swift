internal import Storage

extension Conformance {
    /// What relying services ask of persons ends once, and is found by what is asked for.
    static let requests = [
        Conformance("N1: a request is kept with its persons, all or nothing, and changed only as it was read") {
            database in
            try await prepareRequests(database)
            let row = request("1", persons: ["bob", "alice"], requester: "carol", group: "board")
            try await database.write { try row.insert(on: $0) }
            guard var found = try await database.read({ try RequestRow.find("1", on: $0) }) else {
                throw Failure(description: "the request is missing")
            }
            try expectEqual(found.persons, ["alice", "bob"].map { .init(userName: $0) }, "the persons, by name")
            try expectEqual([found.requester, found.group, found.quorum], ["carol", "board", "2/2"], "its texts")
            try expectEqual([found.createdAt, found.expiresAt, found.version], [10, 50, 1], "its numbers")
            try expectEqual(found.state, .pending, "its state")
            try expectEqual(found.changedAt, nil, "when it ended")
            for (broken, what) in [
                (request("1", persons: ["alice"]), "an id twice"),
                (request("2", persons: ["alice", "alice"]), "a name twice"),
                (request("2", persons: ["alice"], client: "none"), "a service that is none"),
            ] {
                try await expect(.constraint, what) { try await database.write { try broken.insert(on: $0) } }
            }
            try expectEqual(try await database.read { try RequestRow.find("2", on: $0) }, nil, "what was refused")

            found.persons[0].answer = .signed
            let unsigned = found
            try await expect(.constraint, "signed without a statement") {
                try await database.write { try unsigned.update(on: $0) }
            }
            found.persons[0].jti = "j"
            found.persons[1].answer = .declined
            found.state = .declined
            let timeless = found
            try await expect(.constraint, "over without a time") {
                try await database.write { try timeless.update(on: $0) }
            }
            found.changedAt = 20
            let over = found
            try await database.write { try over.update(on: $0) }
            try await expect(.conflict, "a stale one") { try await database.write { try over.update(on: $0) } }
            let last = try await database.read { try RequestRow.find("1", on: $0) }
            try expectEqual(last?.persons, found.persons, "the answers")
            try expectEqual(last?.state, .declined, "its end")
            try expectEqual(last?.changedAt, 20, "when it ended")
            try expectEqual(last?.version, 2, "its version")
        },
        Conformance("N2: what a service asked, newest first; what is over at a time, oldest first; what waits") {
            database in
            try await prepareRequests(database)
            try await database.write { connection in
                for (id, client, createdAt, expiresAt) in [
                    ("a", "shop", 10, 50), ("b", "shop", 10, 40), ("c", "shop", 20, 51), ("d", "bank", 30, 45),
                ] as [(String, String, Int64, Int64)] {
                    try request(id, persons: ["alice"], client: client, at: createdAt, expiresAt: expiresAt)
                        .insert(on: connection)
                }
            }
            func ids(_ read: @escaping @Sendable (any SQLConnection) throws -> [RequestRow]) async throws -> [String] {
                try await database.read { try read($0).map(\.id) }
            }
            try expectEqual(
                try await ids { try RequestRow.list(client: "shop", page: .first, on: $0) }, ["c", "b", "a"],
                "a service's")
            if let page = Page(startIndex: 2, count: 1) {
                try expectEqual(
                    try await ids { try RequestRow.list(client: "shop", page: page, on: $0) }, ["b"], "its second")
            }
            try expectEqual(try await ids { try RequestRow.overdue(at: 39, on: $0) }, [], "over before the first")
            try expectEqual(try await ids { try RequestRow.overdue(at: 50, on: $0) }, ["b", "d", "a"], "over at 50")
            guard var ended = try await database.read({ try RequestRow.find("d", on: $0) }) else {
                throw Failure(description: "the request is missing")
            }
            (ended.state, ended.changedAt, ended.persons[0].answer) = (.expired, 45, .over)
            let closed = ended
            try await database.write { try closed.update(on: $0) }
            try expectEqual(
                try await ids { try RequestRow.overdue(at: 50, on: $0) }, ["b", "a"], "over and not closed")
            try expectEqual(try await ids { try RequestRow.listPending(on: $0) }, ["a", "b", "c"], "what waits")
        },
        Conformance(
            "attack D6: how many wait for a person, of all and of one service, as long as their time is not over"
        ) {
            database in
            try await prepareRequests(database)
            try await database.write { connection in
                for (id, client, persons, expiresAt) in [
                    ("1", "shop", ["alice", "bob"], 50), ("2", "shop", ["alice"], 40), ("3", "bank", ["alice"], 41),
                    // Nobody has this name, and it is counted all the same.
                    ("4", "shop", ["nobody"], 50),
                ] as [(String, String, [String], Int64)] {
                    try request(id, persons: persons, client: client, expiresAt: expiresAt).insert(on: connection)
                }
            }
            func counts(_ name: String, at time: Int64) async throws -> [Int] {
                let counts = try await database.read {
                    try RequestRow.countWaiting(for: name, client: "shop", at: time, on: $0)
                }
                return [counts.all, counts.ofClient]
            }
            try expectEqual(try await counts("alice", at: 39), [3, 2], "alice's")
            try expectEqual(try await counts("alice", at: 40), [2, 1], "at the end of one")
            try expectEqual(try await counts("alice", at: 41), [1, 1], "at the end of the next")
            try expectEqual(try await counts("nobody", at: 1), [1, 1], "nobody's")
            try expectEqual(try await counts("carol", at: 1), [0, 0], "of whom nothing is asked")
            guard var row = try await database.read({ try RequestRow.find("1", on: $0) }) else {
                throw Failure(description: "the request is missing")
            }
            row.persons[0].answer = .declined
            let declined = row
            try await database.write { try declined.update(on: $0) }
            try expectEqual(try await counts("alice", at: 41), [0, 0], "once she has declined")
            try expectEqual(try await counts("bob", at: 41), [1, 1], "bob's")
        },
        Conformance("groups: names once, members that there are, once each; changed and removed with them") {
            database in
            try await prepareRequests(database)
            let board = GroupRow(name: "board", members: ["bob", "alice"], createdAt: 1, changedAt: 1)
            let admins = GroupRow(name: "admins", members: ["alice"], createdAt: 2, changedAt: 2)
            try await database.write { connection in for group in [board, admins] { try group.insert(on: connection) } }
            try await expect(.constraint, "a name twice") { try await database.write { try board.insert(on: $0) } }
            for (members, what) in [
                (["alice", "alice"], "a member twice"), (["alice", "dora"], "a member who is nobody"),
            ] {
                try await expect(.constraint, what) {
                    try await database.write {
                        try GroupRow(name: "new", members: members, createdAt: 3, changedAt: 3).insert(on: $0)
                    }
                }
                try await expect(.constraint, "\(what), later") {
                    try await database.write {
                        try GroupRow(name: "board", members: members, createdAt: 1, changedAt: 3).update(on: $0)
                    }
                }
            }
            func groups() async throws -> [GroupRow] { try await database.read { try GroupRow.list(on: $0) } }
            let sorted = GroupRow(name: "board", members: ["alice", "bob"], createdAt: 1, changedAt: 1)
            try expectEqual(try await groups(), [admins, sorted], "the groups, by name, as they were")
            let other = GroupRow(name: "board", members: ["carol"], createdAt: 9, changedAt: 4)
            try await database.write { try other.update(on: $0) }
            let changed = try await database.read { try GroupRow.find("board", on: $0) }
            try expectEqual(
                changed, GroupRow(name: "board", members: ["carol"], createdAt: 1, changedAt: 4), "with other members")
            try await database.write { try other.delete(on: $0) }
            try expectEqual(try await groups(), [admins], "without the one that was removed")
            try expectEqual(
                try await database.read { try GroupRow.find("board", on: $0) }, nil, "the one that was removed")
        },
        Conformance(
            "every rule of the tables of requests and groups: what a row must have, what it may say, what it refers to"
        ) {
            database in
            try await prepareRequests(database)
            let requests = TableRules(
                database: database, table: "requests",
                good: [
                    ("id", .text("r")), ("client", .text("shop")), ("requester", .null), ("group_name", .null),
                    ("payload", .text("p")), ("reason", .text("r")), ("level", .integer(1)), ("type", .integer(0)),
                    ("required", .integer(1)), ("quorum", .null), ("created_at", .integer(1)),
                    ("expires_at", .integer(2)),
                    ("state", .text("pending")), ("changed_at", .null), ("version", .integer(1)),
                ])
            try await requests.refuseNull([
                "id", "client", "payload", "reason", "level", "type", "required", "created_at", "expires_at", "state",
                "version",
            ])
            try await requests.refuse([
                [("client", .text("none"))], [("required", .integer(0))], [("required", .integer(-1))],
                [("state", .text("Pending"))], [("state", .text("over")), ("changed_at", .integer(2))],
                [("changed_at", .integer(2))], [("state", .text("done"))],
            ])
            let ends = ["done", "declined", "expired", "cancelled"]
            try await requests.take(
                ends.map { [("id", .text($0)), ("state", .text($0)), ("changed_at", .integer(2))] })

            let persons = TableRules(
                database: database, table: "request_persons",
                good: [
                    ("request", .text("r")), ("user_name", .text("nobody")), ("client", .text("shop")),
                    ("expires_at", .integer(2)), ("answer", .text("waiting")), ("jti", .null),
                ])
            try await persons.refuseNull(["request", "user_name", "client", "expires_at", "answer"])
            try await persons.refuse([
                [("request", .text("none"))], [("answer", .text("Waiting"))], [("answer", .text("signed"))],
                [("jti", .text("j"))], [("answer", .text("declined")), ("jti", .text("j"))],
            ])
            try await persons.take([
                [("user_name", .text("a")), ("answer", .text("signed")), ("jti", .text("j"))],
                [("user_name", .text("b")), ("answer", .text("declined"))],
                [("user_name", .text("c")), ("answer", .text("over"))],
            ])

            let groups = TableRules(
                database: database, table: "person_groups",
                good: [("name", .text("g")), ("created_at", .integer(1)), ("changed_at", .integer(1))])
            let long = String(repeating: "g", count: 64)
            try await groups.refuseNull(["name", "created_at", "changed_at"])
            try await groups.refuse([[("name", .text(""))], [("name", .text(long + "g"))]])
            try await groups.take([[("name", .text(long))]])

            let members = TableRules(
                database: database, table: "group_members",
                good: [("group_name", .text("g")), ("user_name", .text("alice"))])
            try await members.refuseNull(["group_name", "user_name"])
            try await members.refuse([[("group_name", .text("none"))], [("user_name", .text("none"))]])

            // What others refer to stays.
            for (table, column, name) in [
                ("requests", "id", "r"), ("person_groups", "name", "g"), ("users", "name", "alice"),
                ("clients", "name", "shop"),
            ] {
                try await expect(.constraint, "\(name) removed from \(table)") {
                    try await database.write {
                        _ = try $0.run("DELETE FROM \(table) WHERE \(column) = $1", [.text(name)])
                    }
                }
            }
        },
        Conformance(
            "S16: a ceremony keeps the request that it accepts; one that accepts none has neither id nor quorum"
        ) {
            database in
            let (own, other) = (ceremony("1", request: "r", quorum: "2/3"), ceremony("2", request: nil, quorum: nil))
            try await database.write { connection in
                for row in [own, other] { try row.insert(on: connection) }
                // As before there were any requests.
                _ = try connection.run(
                    """
                    INSERT INTO ceremonies (id, session, user_name, generation, state, payload, reason, level, type, issued_at,
                        expires_at, wrong, version)
                    VALUES ('3', '3', 'alice', 1, 'challenged', 'p', 'r', 1, 0, 0, 9, 0, 1)
                    """)
            }
            for (id, words) in [("1", ["r", "2/3"]), ("2", [nil, nil]), ("3", [nil, nil])] as [(String, [String?])] {
                let found = try await database.read { try CeremonyRow.find(id, on: $0) }
                try expectEqual([found?.request, found?.quorum], words, "the request of ceremony \(id)")
            }
        },
    ]

    private static func prepareRequests(_ database: any SQLDatabase) async throws {
        try await database.write { connection in
            for name in ["alice", "bob", "carol"] {
                try UserRow.insert(name: name, password: nil, at: 1, on: connection)
            }
            for name in ["shop", "bank"] {
                try ClientRow(name: name, secret: nil, jwk: "{}", createdAt: 1).insert(on: connection)
            }
        }
    }

    private static func request(
        _ id: String, persons: [String], client: String = "shop", requester: String? = nil, group: String? = nil,
        at createdAt: Int64 = 10, expiresAt: Int64 = 50
    ) -> RequestRow {
        RequestRow(
            id: id, client: client, requester: requester, group: group, payload: "p", reason: "r", level: 1, type: 0,
            required: persons.count, quorum: "\(persons.count)/\(persons.count)", createdAt: createdAt,
            expiresAt: expiresAt,
            persons: persons.map { .init(userName: $0) })
    }

    private static func ceremony(_ id: String, request: String?, quorum: String?) -> CeremonyRow {
        CeremonyRow(
            id: id, session: id, userName: "alice", generation: 1, state: .challenged, payload: "p", reason: "r",
            level: 1,
            type: 0, audience: nil, request: request, quorum: quorum, issuedAt: 0, expiresAt: 9)
    }
}
