package import CountersignVerifier
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// After how many milliseconds the use of a session is noted again.
    static let noteInterval: Int64 = 60_000

    /// The session that an access token stands for. One indexed read, which also says that its user, client and device are
    /// neither locked nor deleted: nothing of it is kept, so a token is dead as soon as one of them is (attack D4).
    ///
    /// - Throws: `tokenInvalid`, whatever is wrong with it.
    package func session(_ access: SessionToken) async throws -> Session {
        guard access.kind == .access else { throw Refusal(.tokenInvalid) }
        let hash = access.hash
        let clock = clock
        let (found, now) = try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            return (try SessionRow.find(access: hash, at: transaction.now, on: connection), transaction.now)
        }
        guard let row = found else { throw Refusal(.tokenInvalid) }
        if now.saturatingAdd(-Self.noteInterval) >= row.lastUsedAt {
            // For the eyes of the owner only. Where it cannot be written, the session holds all the same.
            try? await write { transaction in
                try SessionRow.touch(row.id, at: transaction.now, on: transaction.connection)
                guard let device = row.device else { return }
                try DeviceRow.touch(device, at: transaction.now, on: transaction.connection)
            }
        }
        let session = try Session(row)
        if session.thumbprint == nil { presumedSessions.remember(session, hash, at: now) }
        return session
    }

    /// The live sessions of an owner, newest first, at most 1,000.
    package func sessions(of owner: Session.Owner) async throws -> [SessionInfo] {
        let clock = clock
        return try await database.read { connection in
            let now = try Transaction(connection, clock: clock).now
            return try SessionRow.list(owner.row, at: now, on: connection).map {
                SessionInfo(session: try Session($0), deviceName: $0.deviceName)
            }
        }
    }

    /// Ends a session, and with it the signing that it has open.
    ///
    /// - Parameter owner: whose session it must be; nil for an operator, who ends any.
    /// - Throws: `sessionUnknown`, also for somebody else's.
    package func endSession(_ id: UUIDText, of owner: Session.Owner?) async throws {
        try await write { transaction in
            guard let row = try SessionRow.find(id.text, at: transaction.now, on: transaction.connection),
                let session = try? Session(row), owner == nil || session.owner == owner
            else { throw Refusal(.sessionUnknown) }
            try transaction.end(session)
            try transaction.record(
                .sessionEnded, user: session.owner.user?.text, detail: "session \(id.text)")
        }
    }

    /// Ends all sessions of a user, but for one.
    ///
    /// - Returns: how many there were.
    /// - Throws: `userUnknown`.
    @discardableResult
    package func endSessions(of name: UserName, except: UUIDText? = nil) async throws -> Int {
        try await write { transaction in
            _ = try transaction.user(name)
            let count = try transaction.endSessions(.user(name.text), except: except)
            if count > 0 {
                try transaction.record(.sessionEnded, user: name.text, detail: "sessions ended: \(count)")
            }
            return count
        }
    }
}

extension Transaction {
    /// Makes sure that a session has not ended since it was looked up, and nobody of it was locked, blocked or deleted.
    ///
    /// - Throws: `tokenInvalid`.
    func checkAlive(_ session: Session) throws {
        guard try SessionRow.find(session.id.text, at: now, on: connection) != nil else { throw Refusal(.tokenInvalid) }
    }

    /// Ends one session, with the signing that it has open.
    func end(_ session: Session) throws {
        try SessionRow.delete(session.id.text, on: connection)
        try resetAll(ofSession: session.id.text)
    }
}
