package import CountersignKeys
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Logs a relying service in with its secret (RFC 6749 section 4.4).
    ///
    /// - Parameters:
    ///   - name: nil for what is no name.
    ///   - secret: nil for what is no secret.
    ///   - thumbprint: that of the key that the caller proved to have, to which the session is bound; nil: a bearer token.
    /// - Throws: `clientInvalid`, whatever is wrong.
    package func logInClient(
        _ name: ClientName?, secret: SessionToken?, thumbprint: String? = nil, once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant {
        let given = secret?.hash
        let row = try await client(row: name)
        guard let name, let row, let given, secret?.kind == .clientSecret, let known = row.secret,
            constantTimeEqual(known.span, given.span)
        else { throw try await clientRefusal(row) }
        return try await openSession(of: name, row, thumbprint, once)
    }

    /// Logs a relying service in with a signature of its key (RFC 7523).
    ///
    /// - Parameters:
    ///   - name: whom the assertion names; nil for what is no name.
    ///   - assertion: checks it with the service's key, and that it is new, and throws where it does not stand.
    /// - Throws: `clientInvalid`, whatever is wrong.
    package func logInClient(
        _ name: ClientName?, thumbprint: String? = nil, once: Once<SessionGrant>? = nil,
        assertion: (PublicKey) throws -> Void
    ) async throws -> SessionGrant {
        let row = try await client(row: name)
        guard let name, let row, let key = try Client(row).key, !row.isLocked else {
            throw try await clientRefusal(row)
        }
        do { try assertion(key) } catch is Refusal { throw try await clientRefusal(row) }
        return try await openSession(of: name, row, thumbprint, once)
    }

    private func client(row name: ClientName?) async throws -> ClientRow? {
        guard let name else { return nil }
        return try await database.read { try ClientRow.find(name.text, on: $0) }
    }

    /// Nothing tells which part was wrong.
    private func clientRefusal(_ row: ClientRow?) async throws -> Refusal {
        try await noteStranger(.clientRefused, row?.name ?? "no such client")
        return Refusal(.clientInvalid)
    }

    private func openSession(
        of name: ClientName, _ row: ClientRow, _ thumbprint: String?, _ once: Once<SessionGrant>?
    ) async throws -> SessionGrant {
        let tokens = try SessionTokens(refreshed: false)
        let masterKey = masterKey
        let grant: SessionGrant? = try await write { transaction in
            try transaction.begin(once)
            // As it was when its credential was looked at, and not locked.
            guard try ClientRow.find(name.text, on: transaction.connection) == row, !row.isLocked else { return nil }
            let grant = try transaction.openSession(tokens, of: .service(name), thumbprint: thumbprint)
            try transaction.keep(grant, once, masterKey)
            return grant
        }
        guard let grant else { throw try await clientRefusal(row) }
        return grant
    }
}
