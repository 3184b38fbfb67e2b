/// A key history that the root key signed. Serials grow and are never used again.
package struct HistoryRow: Sendable, Hashable {
    /// From 1.
    package let serial: Int64
    /// When it was signed, milliseconds since 1970.
    package let at: Int64
    /// The compact JWS.
    package let text: String

    package init(serial: Int64, at: Int64, text: String) {
        self.serial = serial
        self.at = at
        self.text = text
    }

    /// The newest, or nil where none was signed yet.
    package static func newest(on connection: any SQLConnection) throws -> HistoryRow? {
        try connection.row("SELECT serial, at, text FROM histories ORDER BY serial DESC LIMIT 1").map {
            try HistoryRow(serial: $0.integer("serial"), at: $0.integer("at"), text: $0.text("text"))
        }
    }

    /// Adds it.
    ///
    /// - Throws: `StorageError.Code.constraint` where the serial is taken.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            "INSERT INTO histories (serial, at, text) VALUES ($1, $2, $3)",
            [.integer(serial), .integer(at), .text(text)])
    }
}
