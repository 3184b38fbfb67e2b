/// A user of whom no device is asked any more whether another one is let in, until the operator lifts it.
package enum ActivationBlockRow {
    /// Since when; nil: they are asked.
    package static func find(_ userName: String, on connection: any SQLConnection) throws -> Int64? {
        try connection.row("SELECT at FROM activation_blocks WHERE user_name = $1", [.text(userName)])
            .map { try $0.integer("at") }
    }

    /// Blocks. Twice is harmless, and the first time counts.
    package static func insert(_ userName: String, at: Int64, on connection: any SQLConnection) throws {
        try connection.run(
            "INSERT INTO activation_blocks (user_name, at) VALUES ($1, $2) ON CONFLICT (user_name) DO NOTHING",
            [.text(userName), .integer(at)])
    }

    /// Lifts it.
    package static func delete(_ userName: String, on connection: any SQLConnection) throws {
        try connection.run("DELETE FROM activation_blocks WHERE user_name = $1", [.text(userName)])
    }
}
