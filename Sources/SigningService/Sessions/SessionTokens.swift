internal import CountersignKeys
internal import CountersignVerifier
internal import Sessions
internal import Signing
internal import Storage

/// What a new session will be called by, made before the transaction that opens it.
struct SessionTokens: Sendable {
    let id: UUIDText
    let access: SessionToken
    /// Nil for services, which log in anew instead.
    let refresh: SessionToken?

    init(refreshed: Bool = true) throws {
        id = try SigningEngine.newID()
        access = try SessionToken.generate(.access)
        refresh = refreshed ? try SessionToken.generate(.refresh) : nil
    }
}

extension Transaction {
    /// How long a service's access token lives, in milliseconds.
    static let serviceLife: Int64 = 3_600_000

    /// How many sessions a person has at most, and all operators together: the oldest one makes room for the next.
    static let sessionLimit = 100

    /// Opens a session.
    func openSession(
        _ tokens: SessionTokens, of owner: Session.Owner, device: UUIDText? = nil, thumbprint: String?
    ) throws -> SessionGrant {
        try tidySessions()
        let settings = try settings()
        let isRefreshed = tokens.refresh != nil
        var (role, user, client): (SessionRow.Role, String?, String?)
        switch owner {
        case .person(let name): (role, user, client) = (.person, name.text, nil)
        case .service(let name): (role, user, client) = (.service, nil, name.text)
        case .operator: (role, user, client) = (.operator, nil, nil)
        }
        let row = SessionRow(
            id: tokens.id.text, role: role, userName: user, device: device?.text, client: client,
            thumbprint: thumbprint, access: tokens.access.hash, authTime: now, createdAt: now,
            expiresAt: now.saturatingAdd(isRefreshed ? settings.refreshLife : Self.serviceLife),
            accessExpiresAt: now.saturatingAdd(isRefreshed ? settings.accessLife : Self.serviceLife))
        if case .service = owner {} else { try makeRoom(for: owner) }
        try row.insert(on: connection)
        if let refresh = tokens.refresh {
            try RefreshRow(hash: refresh.hash, session: row.id).insert(on: connection)
        }
        return try grant(row, tokens)
    }

    private func makeRoom(for owner: Session.Owner) throws {
        let ended = try SessionRow.delete(owner.row, butNewest: Self.sessionLimit - 1, on: connection)
        for id in ended {
            try resetAll(ofSession: id)
            try record(.sessionEnded, user: owner.user?.text, detail: "session \(id), which made room for a new one")
        }
    }

    /// What a session's owner gets, this once.
    func grant(_ row: SessionRow, _ tokens: SessionTokens) throws -> SessionGrant {
        SessionGrant(
            session: try Session(row), accessToken: tokens.access, refreshToken: tokens.refresh,
            expiresIn: Int((row.accessExpiresAt - now) / 1000))
    }

    /// Ends all sessions of an owner, but for one, with the signings that they have open: nobody could answer them.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func endSessions(_ owner: SessionRow.Owner, except: UUIDText? = nil) throws -> Int {
        let ended = try SessionRow.delete(owner, except: except?.text, on: connection)
        for id in ended { try resetAll(ofSession: id) }
        return ended.count
    }

    /// Forgets what is over: sessions, refresh tokens, activation codes, kept replies. A few of each at a time.
    func tidySessions() throws {
        try SessionRow.deleteExpired(at: now, on: connection)
        try RefreshRow.deleteUsed(before: now.saturatingAdd(-settings().refreshLife), on: connection)
        try ActivationRow.deleteExpired(at: now, on: connection)
        try ReplyRow.delete(before: firstKept, on: connection)
    }
}

extension Session {
    /// The session as its row says.
    ///
    /// - Throws: `StorageError.corrupt` where the row breaks a rule that no session breaks.
    init(_ row: SessionRow) throws {
        let device = row.device.flatMap { UUIDText($0) }
        guard let id = UUIDText(row.id), (device == nil) == (row.device == nil), let owner = Owner(row) else {
            throw StorageError(.corrupt, "a session has an owner that is none")
        }
        self.init(
            id: id, owner: owner, device: device, thumbprint: row.thumbprint, authTime: row.authTime,
            createdAt: row.createdAt, lastUsedAt: row.lastUsedAt, expiresAt: row.expiresAt,
            accessExpiresAt: row.accessExpiresAt)
    }
}

extension Session.Owner {
    fileprivate init?(_ row: SessionRow) {
        switch row.role {
        case .person:
            guard let user = row.userName.flatMap({ UserName($0) }) else { return nil }
            self = .person(user)
        case .service:
            guard let client = row.client.flatMap({ ClientName($0) }) else { return nil }
            self = .service(client)
        case .operator: self = .operator
        }
    }

    /// The same for the store.
    var row: SessionRow.Owner {
        switch self {
        case .person(let user): .user(user.text)
        case .service(let client): .client(client.text)
        case .operator: .operators
        }
    }

    /// The user whose session it is.
    var user: UserName? {
        guard case .person(let user) = self else { return nil }
        return user
    }
}
