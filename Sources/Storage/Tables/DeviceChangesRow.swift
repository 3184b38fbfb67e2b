/// When a user's devices were changed lately, and until when they may not be changed again (rule D09).
///
/// Every transaction that changes a device of a user writes the user's row, so of two at once one comes after the other.
package struct DeviceChangesRow: Sendable, Hashable {
    package let userName: String
    /// The successful changes that still count, oldest first: milliseconds since 1970.
    package var times: [Int64]
    /// The end of the cooling-off, where one began.
    package var until: Int64?
    /// 0 for one that is not in the store yet.
    package let version: Int64

    /// The row of a user, an empty one where there is none.
    package static func load(_ userName: String, on connection: any SQLConnection) throws -> DeviceChangesRow {
        let row = try connection.row("SELECT * FROM device_changes WHERE user_name = $1", [.text(userName)])
        return try row.map(DeviceChangesRow.init) ?? DeviceChangesRow(empty: userName)
    }

    /// Writes it.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since it was loaded.
    package func save(on connection: any SQLConnection) throws {
        let sql =
            version == 0
            ? """
            INSERT INTO device_changes (times, until, user_name, version) VALUES ($1, $2, $3, $4 + 1)
            ON CONFLICT (user_name) DO NOTHING
            """
            : """
            UPDATE device_changes SET times = $1, until = $2, version = version + 1
            WHERE user_name = $3 AND version = $4
            """
        try connection.runOnce(
            sql,
            [
                .text(times.map { String($0) }.joined(separator: " ")), SQLValue(until), .text(userName),
                .integer(version),
            ], "the changes of devices of \(userName)")
    }

    private init(empty userName: String) {
        self.userName = userName
        times = []
        until = nil
        version = 0
    }

    private init(_ row: SQLRow) throws {
        userName = try row.text("user_name")
        times = try row.text("times").split(separator: " ").map { word in
            guard let time = Int64(word) else { throw StorageError(.corrupt, "a device was changed at no time") }
            return time
        }
        until = try row.optionalInteger("until")
        version = try row.integer("version")
    }
}
