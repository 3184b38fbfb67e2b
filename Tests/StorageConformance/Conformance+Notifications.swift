internal import Storage

extension Conformance {
    /// Notifications end once, and are found by what is asked for.
    static let notifications = [
        Conformance("N1: a notification is changed only as it was read, and keeps to its rules") { database in
            try await prepare(database)
            let row = notification("1", at: 5)
            try await database.write { try row.insert(searched: FoldedText("Zürich"), devices: ["d"], on: $0) }
            try await expect(.constraint, "an id twice") {
                try await database.write { try row.insert(searched: FoldedText(""), devices: [], on: $0) }
            }
            guard var found = try await database.read({ try NotificationRow.find("1", on: $0) }) else {
                throw Failure(description: "the notification is missing")
            }
            var pending = found
            pending.action = "Accept"
            let broken = pending
            try await expect(.constraint, "answered and pending") {
                try await database.write { try broken.update(on: $0) }
            }
            (found.status, found.action, found.device, found.changedAt) = (.updated, "Accept", "e", 7)
            let answered = found
            try await database.write { try answered.update(on: $0) }
            try await expect(.conflict, "a stale one") { try await database.write { try answered.update(on: $0) } }
            for device in ["d", "e"] {
                try expectEqual(
                    try await history(database, .init(device: device)), ["1"], "sent to or answered by \(device)")
            }
        },
        Conformance("H02-H10, O28-O34: history and inbox by each filter, newest first, in pages") { database in
            try await prepare(database)
            let ends: [(NotificationRow.Status, String, Int64)] = [
                (.updated, "Accept", 30), (.expired, "NONE", 20), (.dismissed, "NONE", 20), (.discarded, "NONE", 10),
            ]
            try await database.write { connection in
                for (index, end) in ends.enumerated() {
                    let row = notification(String(index), at: Int64(index))
                    try row.insert(searched: FoldedText("Subject \(index)% ÄÖ"), devices: ["d"], on: connection)
                    guard var found = try NotificationRow.find(row.id, on: connection) else { continue }
                    (found.status, found.action, found.changedAt) = (end.0, end.1, end.2)
                    found.device = end.0 == .updated ? "e" : nil
                    try found.update(on: connection)
                }
                try notification("new", at: 9).insert(searched: FoldedText("new"), devices: [], on: connection)
                try notification("over", at: 8, expiresAt: 50)
                    .insert(searched: FoldedText("over"), devices: [], on: connection)
            }
            let cases: [(NotificationRow.Filter, [String])] = [
                (.init(), ["0", "2", "1", "3"]), (.init(status: .expired), ["1"]),
                (.init(action: "NONE"), ["2", "1", "3"]),
                (.init(action: "accept"), []), (.init(keyword: "SUBJECT 1%"), ["1"]),
                (.init(keyword: "äö"), ["0", "2", "1", "3"]),
                (.init(keyword: "_"), []), (.init(device: "e"), ["0"]),
                (.init(device: "d", since: 20), ["0", "2", "1"]),
                (.init(since: 20, until: 30), ["2", "1"]), (.init(enterprise: "acme"), ["0", "2", "1", "3"]),
                (.init(enterprise: "other"), []), (.init(status: .updated, keyword: "0", device: "d"), ["0"]),
            ]
            for (filter, ids) in cases { try expectEqual(try await history(database, filter), ids, "\(filter)") }
            if let page = Page(startIndex: 2, count: 2) {
                try expectEqual(try await history(database, .init(), page), ["2", "1"], "the second page")
            }
            let (waiting, overdue, count) = try await database.read { connection in
                (
                    try NotificationRow.pending(of: "alice", at: 50, on: connection).map(\.id),
                    try NotificationRow.overdue(of: "alice", at: 50, on: connection).map(\.id),
                    try NotificationRow.countPending(of: "alice", on: connection)
                )
            }
            try expectEqual(waiting, ["new"], "what waits")
            try expectEqual(overdue, ["over"], "what is over")
            try expectEqual(count, 2, "not closed yet")
        },
        Conformance("K38: what a device has not received, oldest first, until it has or it is over") { database in
            try await prepare(database)
            try await database.write { connection in
                for (id, devices) in [("1", ["d", "e"]), ("2", ["d"]), ("3", ["e"]), ("over", ["d"])] {
                    try notification(id, at: 5, expiresAt: id == "over" ? 50 : 99)
                        .insert(searched: FoldedText(""), devices: devices, on: connection)
                }
            }
            try expectEqual(try await undelivered(database, "d"), ["1", "2"], "of this device")
            try expectEqual(try await undelivered(database, "d", of: "bob"), [], "of another user's")
            for _ in 1...2 {
                let isSent = try await database.write { try NotificationRow.receive("1", on: "d", at: 60, on: $0) }
                try expectEqual(isSent, true, "received, once more too")
            }
            let isAnothers = try await database.write { try NotificationRow.receive("3", on: "d", at: 60, on: $0) }
            try expectEqual(isAnothers, false, "what was not sent to it")
            try expectEqual(try await undelivered(database, "d"), ["2"], "without what it has")
            try expectEqual(try await undelivered(database, "e"), ["1", "3"], "the other device has not")
        },
        Conformance("K12: one push token a device; a newer one is not forgotten with an older") { database in
            try await prepare(database)
            @Sendable func row(_ token: String?, at time: Int64) -> PushTokenRow {
                PushTokenRow(
                    device: "d", transport: "apns", environment: "production", token: token, changedAt: time)
            }
            func found() async throws -> PushTokenRow? {
                try await database.read { try PushTokenRow.find("d", on: $0) }
            }
            try await database.write { try row("a1", at: 1).save(on: $0) }
            try await database.write { try row("b2", at: 2).save(on: $0) }
            try await database.write { try PushTokenRow.forget("a1", of: "d", at: 3, on: $0) }
            try expectEqual(try await found()?.token, "b2", "the newer one")
            try await database.write { try PushTokenRow.forget("b2", of: "d", at: 3, on: $0) }
            try expectEqual(try await found()?.token, nil, "no token")
            try expectEqual(try await found() != nil, true, "enrolled without one")
            try await expect(.constraint, "a token of a device that is not there") {
                try await database.write {
                    try PushTokenRow(
                        device: "x", transport: "apns", environment: "production", token: "a1", changedAt: 1
                    ).save(on: $0)
                }
            }
            for isThere in [true, false] {
                let was = try await database.write { try PushTokenRow.delete("d", on: $0) }
                try expectEqual(was, isThere, "ended once")
            }
        },
    ]

    private static func prepare(_ database: any SQLDatabase) async throws {
        try await database.write { connection in
            try UserRow.insert(name: "alice", password: nil, at: 1, on: connection)
            for id in ["d", "e"] {
                try DeviceRow(
                    id: id, userName: "alice", name: "device", thumbprint: String(repeating: id, count: 43), jwk: "{}",
                    createdAt: 1
                ).insert(on: connection)
            }
        }
    }

    private static func notification(_ id: String, at: Int64, expiresAt: Int64 = 99) -> NotificationRow {
        NotificationRow(
            id: id, userName: "alice", origin: .operator, client: nil, enterprise: "acme", content: "{}", createdAt: at,
            expiresAt: expiresAt)
    }

    private static func undelivered(
        _ database: any SQLDatabase, _ device: String, of user: String = "alice"
    ) async throws -> [String] {
        try await database.read { try NotificationRow.undelivered(of: user, to: device, at: 50, on: $0).map(\.id) }
    }

    private static func history(
        _ database: any SQLDatabase, _ filter: NotificationRow.Filter, _ page: Page = .first
    ) async throws -> [String] {
        try await database.read { try NotificationRow.history(of: "alice", filter, page: page, on: $0).map(\.id) }
    }
}
