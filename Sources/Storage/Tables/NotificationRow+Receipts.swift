extension NotificationRow {
    /// What waits for a user, was sent to this device of theirs and was not received there yet: oldest first, at most a page.
    ///
    /// - Parameter now: milliseconds since 1970; what has ended by then does not wait.
    package static func undelivered(
        of userName: String, to device: String, at now: Int64, on connection: any SQLConnection
    ) throws -> [NotificationRow] {
        // CROSS: what waits for the user first, which is little, then the device's part of it.
        try connection.rows(
            """
            SELECT \(columns) FROM notifications n CROSS JOIN notification_devices d
            WHERE n.user_name = $1 AND n.changed_at IS NULL AND n.expires_at > $2
                AND d.notification = n.id AND d.device = $3 AND d.received_at IS NULL
            ORDER BY n.created_at, n.id LIMIT \(Page.limit)
            """, [.text(userName), .integer(now), .text(device)]
        ).map(NotificationRow.init)
    }

    /// Notes that a device has received a notification. Once more changes nothing.
    ///
    /// - Returns: whether it was sent to that device.
    package static func receive(
        _ id: String, on device: String, at now: Int64, on connection: any SQLConnection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE notification_devices SET received_at = COALESCE(received_at, $1)
            WHERE notification = $2 AND device = $3
            """, [.integer(now), .text(id), .text(device)]) > 0
    }
}
