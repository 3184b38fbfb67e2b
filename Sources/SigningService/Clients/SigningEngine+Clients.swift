internal import CountersignJOSE
internal import CountersignKeys
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Adds a relying service. The name is its own for ever.
    ///
    /// - Throws: `clientExists`.
    package func addClient(
        _ name: ClientName, credential: ClientCredential, once: Once<AddedClient>? = nil
    ) async throws -> AddedClient {
        var secret: SessionToken?
        var jwk: String?
        switch credential {
        case .generatedSecret: secret = try SessionToken.generate(.clientSecret)
        case .key(let key): jwk = String(decoding: JWK(key).json, as: UTF8.self)
        }
        let (token, hash, text) = (secret, secret?.hash, jwk)
        return try await write(once) { transaction in
            guard try ClientRow.find(name.text, on: transaction.connection) == nil else {
                throw Refusal(.clientExists)
            }
            let row = ClientRow(name: name.text, secret: hash, jwk: text, createdAt: transaction.now)
            try row.insert(on: transaction.connection)
            try transaction.record(.clientAdded, detail: name.text)
            return AddedClient(client: try Client(row), secret: token)
        }
    }

    /// All relying services, by name.
    package func clients() async throws -> [Client] {
        try await database.read { try ClientRow.list(on: $0).map { try Client($0) } }
    }

    /// A relying service, or nil.
    package func client(_ name: ClientName) async throws -> Client? {
        try await database.read { try ClientRow.find(name.text, on: $0).map { try Client($0) } }
    }

    /// Locks a relying service: its sessions end at once, and it gets no new ones. Locking twice is harmless.
    ///
    /// - Throws: `clientUnknown`.
    @discardableResult
    package func lockClient(_ name: ClientName, once: Once<Client>? = nil) async throws -> Client {
        try await write(once) { transaction in
            let row = try transaction.client(name)
            if !row.isLocked {
                try row.setLocked(true, on: transaction.connection)
                let ended = try transaction.endSessions(.client(name.text))
                try transaction.record(.clientLocked, detail: "\(name.text), sessions ended: \(ended)")
            }
            return try Client(transaction.client(name))
        }
    }

    /// Unlocks a relying service. Its old sessions do not come back.
    ///
    /// - Throws: `clientUnknown`.
    @discardableResult
    package func unlockClient(_ name: ClientName, once: Once<Client>? = nil) async throws -> Client {
        try await write(once) { transaction in
            let row = try transaction.client(name)
            if row.isLocked {
                try row.setLocked(false, on: transaction.connection)
                try transaction.record(.clientUnlocked, detail: name.text)
            }
            return try Client(transaction.client(name))
        }
    }
}

extension Transaction {
    fileprivate func client(_ name: ClientName) throws -> ClientRow {
        guard let row = try ClientRow.find(name.text, on: connection) else { throw Refusal(.clientUnknown) }
        return row
    }
}
