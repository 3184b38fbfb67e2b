/// A notification, as of its last change. It is never deleted: the history has all that ended.
package struct NotificationRow: Sendable, Hashable {
    /// Who asked.
    package enum Origin: String, Sendable, Hashable { case client, `operator`, service }
    /// What became of it. Only a pending one waits.
    package enum Status: String, Sendable, Hashable {
        case pending = "PENDING"
        case updated = "UPDATED"
        case expired = "EXPIRED"
        case discarded = "DISCARDED"
        case dismissed = "DISMISSED"
    }
    /// What became of the signing of an answer.
    package enum Signing: String, Sendable, Hashable {
        case signed = "SIGNED"
        case failed = "FAILED"
    }

    /// What it is about.
    package enum Matter: String, Sendable, Hashable { case message, request, activation }
    /// What an approver does with its match code.
    package enum MatchMode: String, Sendable, Hashable { case required, offered }

    /// A UUID.
    package let id: String
    package let userName: String
    package let origin: Origin
    /// The relying service that asked, where one did.
    package let client: String?
    package let enterprise: String?
    /// What it says and asks, and of what it is about all that is shown, as JSON.
    package let content: String
    package let matter: Matter
    /// What it is about, by its id; nil for a message.
    package let matterID: String?
    /// The match code, where there is one, and only then its mode.
    package let matchCode: String?
    package let matchMode: MatchMode?
    /// How many wrong match codes were brought.
    package var matchWrong = 0
    /// Milliseconds since 1970, like all times here.
    package let createdAt: Int64
    package let expiresAt: Int64
    package var status = Status.pending
    /// The action that was performed; nil while it is pending.
    package var action: String?
    /// The device that answered, where one did.
    package var device: String?
    package var signing: Signing?
    /// The statement of the answer, where it was signed.
    package var jti: String?
    /// When it ended; nil while it is pending.
    package var changedAt: Int64?
    /// Grows with each change; 0 before `insert`.
    package let version: Int64

    /// A new one, pending.
    package init(
        id: String, userName: String, origin: Origin, client: String?, enterprise: String?, content: String,
        matter: Matter = .message, matterID: String? = nil, matchCode: String? = nil, matchMode: MatchMode? = nil,
        createdAt: Int64, expiresAt: Int64
    ) {
        self.id = id
        self.userName = userName
        self.origin = origin
        self.client = client
        self.enterprise = enterprise
        self.content = content
        self.matter = matter
        self.matterID = matterID
        self.matchCode = matchCode
        self.matchMode = matchMode
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        version = 0
    }

    /// The notification, or nil.
    package static func find(_ id: String, on connection: any SQLConnection) throws -> NotificationRow? {
        try connection.row("SELECT \(columns) FROM notifications n WHERE n.id = $1", [.text(id)])
            .map(NotificationRow.init)
    }

    /// Adds it.
    ///
    /// - Parameters:
    ///   - searched: what a keyword is looked for in.
    ///   - devices: those that it is sent to.
    /// - Throws: `StorageError.Code.constraint` where the id is taken, or there is no such user or service.
    package func insert(searched: FoldedText, devices: [String], on connection: any SQLConnection) throws {
        try connection.run(
            """
            INSERT INTO notifications (status, action, device, signing, jti, changed_at, match_wrong, id, version,
                user_name, origin, client, enterprise, content, matter, matter_id, match_code, match_mode, created_at,
                expires_at, folded)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9 + 1, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
            """,
            changing + [
                .text(userName), .text(origin.rawValue), SQLValue(client), SQLValue(enterprise), .text(content),
                .text(matter.rawValue), SQLValue(matterID), SQLValue(matchCode), SQLValue(matchMode?.rawValue),
                .integer(createdAt), .integer(expiresAt), .text(searched.text),
            ])
        for device in devices {
            try connection.run(
                "INSERT INTO notification_devices (notification, device) VALUES ($1, $2)", [.text(id), .text(device)])
        }
    }

    /// Writes what may change: its status with all that belongs to it, what became of a signing, and wrong match codes.
    ///
    /// - Throws: `StorageError.Code.conflict` where it was changed since it was read: so it ends once.
    package func update(on connection: any SQLConnection) throws {
        try connection.runOnce(
            """
            UPDATE notifications SET status = $1, action = $2, device = $3, signing = $4, jti = $5, changed_at = $6,
                match_wrong = $7, version = version + 1
            WHERE id = $8 AND version = $9
            """,
            changing, "notification \(id)")
        guard let changedAt else { return }
        try connection.run(
            "UPDATE notification_devices SET changed_at = $1 WHERE notification = $2", [.integer(changedAt), .text(id)])
        guard let device else { return }
        // One that was enrolled since.
        try connection.run(
            """
            INSERT INTO notification_devices (notification, device, changed_at) VALUES ($1, $2, $3)
            ON CONFLICT (notification, device) DO NOTHING
            """, [.text(id), .text(device), .integer(changedAt)])
    }

    private var changing: [SQLValue] {
        [
            .text(status.rawValue), SQLValue(action), SQLValue(device), SQLValue(signing?.rawValue), SQLValue(jti),
            SQLValue(changedAt), .integer(Int64(matchWrong)), .text(id), .integer(version),
        ]
    }

    /// Without `folded`, which nobody reads.
    static let columns = """
        n.id, n.user_name, n.origin, n.client, n.enterprise, n.content, n.matter, n.matter_id, n.match_code, \
        n.match_mode, n.match_wrong, n.created_at, n.expires_at, n.status, n.action, n.device, n.signing, n.jti, \
        n.changed_at, n.version
        """

    init(_ row: SQLRow) throws {
        id = try row.text("id")
        userName = try row.text("user_name")
        origin = try row.word("origin")
        client = try row.optionalText("client")
        enterprise = try row.optionalText("enterprise")
        content = try row.text("content")
        matter = try row.word("matter")
        matterID = try row.optionalText("matter_id")
        matchCode = try row.optionalText("match_code")
        matchMode = try row.optionalWord("match_mode")
        matchWrong = try row.count("match_wrong")
        createdAt = try row.integer("created_at")
        expiresAt = try row.integer("expires_at")
        status = try row.word("status")
        action = try row.optionalText("action")
        device = try row.optionalText("device")
        signing = try row.optionalWord("signing")
        jti = try row.optionalText("jti")
        changedAt = try row.optionalInteger("changed_at")
        version = try row.integer("version")
    }
}
