/// A setting of the store that somebody set. What it means, and what holds where none is set, is known above.
package struct SettingRow: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The value of one setting, or nil where it was never set.
    package static func find(_ name: String, on connection: any SQLConnection) throws -> String? {
        try connection.row("SELECT value FROM settings WHERE name = $1", [.text(name)])?.text("value")
    }

    /// All that are set, by name.
    package static func list(on connection: any SQLConnection) throws -> [SettingRow] {
        try connection.rows("SELECT name, value FROM settings ORDER BY name").map {
            try SettingRow(name: $0.text("name"), value: $0.text("value"))
        }
    }

    /// Sets it.
    package func save(on connection: any SQLConnection) throws {
        try connection.run(
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2",
            [.text(name), .text(value)])
    }
}
