internal import Storage

extension Conformance {
    /// New devices are changed as they were read, counted for the name that they ask for, and forgotten.
    static let activations = [
        Conformance("O16: an activation is changed only as it was read, and keeps to its rules") { database in
            let row = request("1", "alice")
            try await database.write { try row.insert(on: $0) }
            try await expect(.constraint, "an id twice") { try await database.write { try row.insert(on: $0) } }
            guard var found = try await database.read({ try ActivationRequestRow.find("1", on: $0) }) else {
                throw Failure(description: "the activation is missing")
            }
            for state in [ActivationRequestRow.State.waiting, .approved, .activated] {
                var broken = found
                broken.state = state
                let row = broken
                try await expect(.constraint, "\(state) without what belongs to it") {
                    try await database.write { try row.update(on: $0) }
                }
            }
            (found.state, found.matchCode, found.askedAt, found.expiresAt) = (.waiting, "07", 5, 50)
            let waiting = found
            try await database.write { try waiting.update(on: $0) }
            try await expect(.conflict, "a stale one") { try await database.write { try waiting.update(on: $0) } }
            guard let again = try await database.read({ try ActivationRequestRow.find("1", on: $0) }) else {
                throw Failure(description: "the activation is missing")
            }
            try expectEqual(again.matchCode, "07", "the match code")
            try expectEqual(again.expiresAt, 50, "its end")
            try expectEqual(again.version, 2, "its version")
        },
        Conformance("D6: those that were asked of a name, and those of a key that are not over; the old are forgotten")
        {
            database in
            try await database.write { connection in
                for (id, name, askedAt) in [("1", "alice", 10), ("2", "alice", 20), ("3", "bob", 20), ("4", nil, 30)]
                    as [(String, String?, Int64)]
                {
                    try request(id, name).insert(on: connection)
                    guard var row = try ActivationRequestRow.find(id, on: connection) else { continue }
                    (row.state, row.matchCode, row.askedAt, row.expiresAt) = (.waiting, "07", askedAt, askedAt + 5)
                    try row.update(on: connection)
                }
                try request("5", "alice").insert(on: connection)
            }
            let (asked, open) = try await database.read { connection in
                (
                    try ActivationRequestRow.asked(of: "alice", since: 10, on: connection).map(\.id),
                    try ActivationRequestRow.open(thumbprint: print, on: connection).map(\.id)
                )
            }
            try expectEqual(asked, ["2", "1"], "what was asked of a name")
            try expectEqual(open, ["1", "2", "3", "4", "5"], "what is open of a key")
            let since = try await database.read { try ActivationRequestRow.asked(of: "alice", since: 11, on: $0) }
            try expectEqual(since.map(\.id), ["2"], "what was asked since")
            try await database.write { try ActivationRequestRow.delete(endedBefore: 25, on: $0) }
            try expectEqual(
                try await database.read { try ActivationRequestRow.open(thumbprint: print, on: $0).map(\.id) },
                ["2", "3", "4", "5"], "what is left")
            try await database.write { try ActivationRequestRow.cancelAll(on: $0) }
            try expectEqual(
                try await database.read { try ActivationRequestRow.open(thumbprint: print, on: $0).count }, 0, "open")
        },
        Conformance("D6: a user lets in nobody since the first time that they said so, until it is lifted") {
            database in
            try await database.write { try UserRow.insert(name: "alice", password: nil, at: 1, on: $0) }
            for at: Int64 in [5, 6] {
                try await database.write { try ActivationBlockRow.insert("alice", at: at, on: $0) }
                try expectEqual(try await database.read { try ActivationBlockRow.find("alice", on: $0) }, 5, "since")
            }
            try await expect(.constraint, "nobody") {
                try await database.write { try ActivationBlockRow.insert("bob", at: 1, on: $0) }
            }
            for _ in 0..<2 { try await database.write { try ActivationBlockRow.delete("alice", on: $0) } }
            try expectEqual(try await database.read { try ActivationBlockRow.find("alice", on: $0) }, nil, "lifted")
        },
    ]

    private static let print = String(repeating: "n", count: 43)

    private static func request(_ id: String, _ name: String?) -> ActivationRequestRow {
        ActivationRequestRow(
            id: id, userName: name, deviceName: "tablet", thumbprint: print, jwk: "{}", address: "192.0.2.7",
            createdAt: 1, expiresAt: 30)
    }
}
