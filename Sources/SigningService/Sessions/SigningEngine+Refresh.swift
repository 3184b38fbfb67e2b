internal import CountersignVerifier
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Exchanges a refresh token for the next pair of tokens (RFC 6749 section 6). The pair before ends with it.
    ///
    /// A token that was exchanged already ends its session: either its owner or a thief holds a copy, and nobody can tell
    /// which of them asks (RFC 9700 section 4.14). Only with the session's key, though: whoever lacks it ends nothing.
    ///
    /// - Parameter thumbprint: that of the key that the caller proved to have.
    /// - Throws: `grantInvalid`, whatever is wrong.
    package func refresh(
        _ token: SessionToken, thumbprint: String, once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant {
        guard token.kind == .refresh else { throw Refusal(.grantInvalid) }
        let hash = token.hash
        let tokens = try SessionTokens()
        let masterKey = masterKey
        let grant: SessionGrant? = try await write { transaction in
            try transaction.begin(once)
            let grant = try transaction.refresh(hash, thumbprint, tokens)
            if let grant { try transaction.keep(grant, once, masterKey) }
            return grant
        }
        guard let grant else { throw Refusal(.grantInvalid) }
        return grant
    }
}

extension Transaction {
    /// The next pair of tokens, or nil.
    fileprivate func refresh(_ hash: [UInt8], _ thumbprint: String, _ tokens: SessionTokens) throws -> SessionGrant? {
        try tidySessions()
        guard let token = try RefreshRow.find(hash, on: connection),
            var row = try SessionRow.find(token.session, at: now, on: connection),
            let bound = row.thumbprint, bound.utf8.elementsEqual(thumbprint.utf8)
        else { return nil }
        guard try token.use(at: now, on: connection) else {
            try end(Session(row))
            try record(
                .sessionReuse, user: row.userName, result: .grantInvalid, detail: "session \(row.id)")
            return nil
        }
        let settings = try settings()
        row.access = tokens.access.hash
        row.lastUsedAt = now
        row.expiresAt = now.saturatingAdd(settings.refreshLife)
        row.accessExpiresAt = now.saturatingAdd(settings.accessLife)
        try row.update(on: connection)
        if let refresh = tokens.refresh {
            try RefreshRow(hash: refresh.hash, session: row.id).insert(on: connection)
        }
        if let device = row.device { try DeviceRow.touch(device, at: now, on: connection) }
        return try grant(row, tokens)
    }
}
