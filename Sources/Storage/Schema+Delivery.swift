extension Schema {
    /// Version 3: what waits to be carried to devices and to the webhook, and what became of it.
    static let delivery = [
        """
        CREATE TABLE outbox (
            id TEXT NOT NULL PRIMARY KEY,
            transport TEXT NOT NULL CHECK (transport IN ('apns', 'webhook')),
            event TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 64),
            user_name TEXT NOT NULL REFERENCES users (name),
            device TEXT REFERENCES devices (id),
            notification TEXT REFERENCES notifications (id),
            status TEXT,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            next_at BIGINT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
            receipt TEXT CHECK (length(receipt) <= 200),
            ended_at BIGINT,
            CHECK ((transport = 'webhook') = (device IS NULL)),
            CHECK ((state = 'waiting') = (ended_at IS NULL))
        )
        """,
        "CREATE INDEX outbox_due ON outbox (transport, next_at) WHERE state = 'waiting'",
        "CREATE INDEX outbox_ended ON outbox (ended_at) WHERE state <> 'waiting'",
        "CREATE INDEX outbox_made ON outbox (created_at, id)",
        "CREATE INDEX outbox_of_user ON outbox (user_name, created_at, id)",
        "CREATE INDEX outbox_about ON outbox (notification, created_at, id) WHERE notification IS NOT NULL",
        "CREATE INDEX outbox_undelivered ON outbox (state, created_at, id) WHERE state <> 'delivered'",
    ]
}
