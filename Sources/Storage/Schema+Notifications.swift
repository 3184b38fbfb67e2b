extension Schema {
    /// Version 3, the second part: notifications, to which devices they were sent, and which signing answers one.
    static let notifications = [
        """
        CREATE TABLE notifications (
            id TEXT NOT NULL PRIMARY KEY,
            user_name TEXT NOT NULL REFERENCES users (name),
            origin TEXT NOT NULL CHECK (origin IN ('client', 'operator', 'service')),
            client TEXT REFERENCES clients (name),
            enterprise TEXT CHECK (length(enterprise) BETWEEN 1 AND 64),
            content TEXT NOT NULL,
            matter TEXT NOT NULL CHECK (matter IN ('message', 'request', 'activation')),
            matter_id TEXT,
            match_code TEXT CHECK (length(match_code) = 2),
            match_mode TEXT CHECK (match_mode IN ('required', 'offered')),
            match_wrong BIGINT NOT NULL CHECK (match_wrong >= 0),
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('PENDING', 'UPDATED', 'EXPIRED', 'DISCARDED', 'DISMISSED')),
            action TEXT CHECK (length(action) BETWEEN 1 AND 64),
            device TEXT,
            signing TEXT CHECK (signing IN ('SIGNED', 'FAILED')),
            jti TEXT,
            changed_at BIGINT,
            version BIGINT NOT NULL,
            folded TEXT NOT NULL,
            CHECK ((origin = 'client') = (client IS NOT NULL)),
            CHECK ((matter = 'message') = (matter_id IS NULL)),
            CHECK ((match_code IS NULL) = (match_mode IS NULL)),
            CHECK ((status = 'PENDING') = (changed_at IS NULL)),
            CHECK ((status = 'PENDING') = (action IS NULL)),
            CHECK ((status = 'UPDATED') = (device IS NOT NULL)),
            CHECK (jti IS NULL OR (status = 'UPDATED' AND signing = 'SIGNED'))
        )
        """,
        "CREATE INDEX notifications_pending ON notifications (user_name, created_at, id) WHERE changed_at IS NULL",
        "CREATE INDEX notifications_closed ON notifications (user_name, changed_at, id) WHERE changed_at IS NOT NULL",
        """
        CREATE INDEX notifications_by_status ON notifications (user_name, status, changed_at, id)
            WHERE changed_at IS NOT NULL
        """,
        """
        CREATE INDEX notifications_by_action ON notifications (user_name, action, changed_at, id)
            WHERE changed_at IS NOT NULL
        """,
        """
        CREATE INDEX notifications_by_enterprise ON notifications (user_name, enterprise, changed_at, id)
            WHERE changed_at IS NOT NULL AND enterprise IS NOT NULL
        """,
        """
        CREATE INDEX notifications_pending_by_matter ON notifications (matter_id)
            WHERE changed_at IS NULL AND matter_id IS NOT NULL
        """,
        // The time of the last change once more, so that one device's entries are found in their order.
        """
        CREATE TABLE notification_devices (
            notification TEXT NOT NULL REFERENCES notifications (id),
            device TEXT NOT NULL REFERENCES devices (id),
            changed_at BIGINT,
            received_at BIGINT,
            PRIMARY KEY (notification, device)
        )
        """,
        """
        CREATE INDEX notification_devices_closed ON notification_devices (device, changed_at, notification)
            WHERE changed_at IS NOT NULL
        """,
        "ALTER TABLE ceremonies ADD COLUMN notification TEXT",
        "ALTER TABLE ceremonies ADD COLUMN action TEXT",
        """
        CREATE INDEX ceremonies_open_by_notification ON ceremonies (notification)
            WHERE state = 'challenged' AND notification IS NOT NULL
        """,
    ]
}
