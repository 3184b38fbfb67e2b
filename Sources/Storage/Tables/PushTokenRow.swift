/// A device that is enrolled for push challenges, and where its pushes go.
package struct PushTokenRow: Sendable, Hashable {
    /// A UUID.
    package let device: String
    /// Who carries them.
    package let transport: String
    /// `production` or `development`.
    package let environment: String
    /// What the push service gave the app; nil once that service no longer takes it. The device is enrolled all the same.
    package let token: String?
    /// When it came, or was forgotten: milliseconds since 1970.
    package let changedAt: Int64

    /// A device's token.
    package init(device: String, transport: String, environment: String, token: String?, changedAt: Int64) {
        self.device = device
        self.transport = transport
        self.environment = environment
        self.token = token
        self.changedAt = changedAt
    }

    /// That of a device; nil where it is not enrolled.
    package static func find(_ device: String, on connection: any SQLConnection) throws -> PushTokenRow? {
        try connection.row("SELECT * FROM push_tokens WHERE device = $1", [.text(device)]).map(PushTokenRow.init)
    }

    /// Puts it in the place of the one before.
    package func save(on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO push_tokens (device, transport, environment, token, changed_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (device) DO UPDATE SET transport = excluded.transport, environment = excluded.environment,
                token = excluded.token, changed_at = excluded.changed_at
            """,
            [.text(device), .text(transport), .text(environment), SQLValue(token), .integer(changedAt)])
    }

    /// Ends a device's enrolment.
    ///
    /// - Returns: whether it had one.
    @discardableResult
    package static func delete(_ device: String, on connection: any SQLConnection) throws -> Bool {
        try connection.run("DELETE FROM push_tokens WHERE device = $1", [.text(device)]) > 0
    }

    /// Forgets a token that the push service no longer takes, unless the device has another by now.
    ///
    /// - Parameter now: milliseconds since 1970.
    package static func forget(
        _ token: String, of device: String, at now: Int64, on connection: any SQLConnection
    ) throws {
        try connection.run(
            "UPDATE push_tokens SET token = NULL, changed_at = $1 WHERE device = $2 AND token = $3",
            [.integer(now), .text(device), .text(token)])
    }

    private init(_ row: SQLRow) throws {
        device = try row.text("device")
        transport = try row.text("transport")
        environment = try row.text("environment")
        token = try row.optionalText("token")
        changedAt = try row.integer("changed_at")
    }
}
