internal import CountersignJOSE
package import CountersignKeys
package import CountersignVerifier
internal import Signing
internal import Storage

extension SigningEngine {
    /// All keys of the store, in the order in which they were made.
    package func keys() async throws -> [SigningKey] {
        try await database.read { try KeyRow.list(on: $0).map { try SigningKey($0) } }
    }

    /// Makes a signing key, which is published but does not sign yet.
    @discardableResult
    package func createKey(_ algorithm: KeyAlgorithm, once: Once<SigningKey>? = nil) async throws -> SigningKey {
        try await addKey(PrivateKey(generating: algorithm), purpose: .sign, activates: false, once: once)
    }

    /// Takes a key pair that was made elsewhere; it is published but does not sign yet.
    ///
    /// - Throws: `keyState` if the key is in the store already.
    @discardableResult
    package func importKey(_ key: PrivateKey) async throws -> SigningKey {
        try await addKey(key, purpose: .sign, activates: false)
    }

    /// Lets another key sign from now on, and retires the one that did.
    ///
    /// - Parameters:
    ///   - id: a published key; nil makes a new one.
    ///   - algorithm: of the new key.
    /// - Throws: `keyUnknown`, or `keyState` for a key that is not just published.
    @discardableResult
    package func rotateKeys(
        to id: String?, algorithm: KeyAlgorithm, once: Once<SigningKey>? = nil
    ) async throws -> SigningKey {
        guard let id else {
            return try await addKey(PrivateKey(generating: algorithm), purpose: .sign, activates: true, once: once)
        }
        return try await write(once) { transaction in
            let row = try transaction.signingKey(id)
            guard row.state == .published else { throw Refusal(.keyState, .keyState(row.state.rawValue)) }
            return try transaction.activate(row)
        }
    }

    /// Ends a key's time: it never signs again, and its private half is erased.
    ///
    /// - Throws: `keyUnknown`, or `keyState` for a key that is retired or revoked already.
    @discardableResult
    package func retireKey(_ id: String, once: Once<SigningKey>? = nil) async throws -> SigningKey {
        try await write(once) { transaction in
            let row = try transaction.signingKey(id)
            guard row.state == .published || row.state == .active else {
                throw Refusal(.keyState, .keyState(row.state.rawValue))
            }
            return try transaction.retire(row)
        }
    }

    /// Revokes a key: it never signs again, its private half is erased, and the key history says so from now on.
    ///
    /// A key that is revoked as superseded may be revoked as compromised later, not the other way round.
    ///
    /// - Throws: `keyUnknown`, or `keyState`.
    @discardableResult
    package func revokeKey(
        _ id: String, as reason: TrustedKey.Revocation.Reason, once: Once<SigningKey>? = nil
    ) async throws -> SigningKey {
        try await write(once) { transaction in
            var row = try transaction.signingKey(id)
            let isWorse = row.revocation == .superseded && reason == .compromised
            guard row.state != .revoked || isWorse else { throw Refusal(.keyState, .keyState(row.state.rawValue)) }
            row.retiredAt = row.retiredAt ?? transaction.now
            row.state = .revoked
            row.revokedAt = transaction.now
            row.revocation = reason == .compromised ? .compromised : .superseded
            row.sealed = nil
            try row.update(on: transaction.connection)
            try transaction.record(.keyRevoked, detail: "\(id) \(reason.rawValue)")
            return try SigningKey(row)
        }
    }

    /// The private half of a key, for its export. The export is recorded.
    ///
    /// - Throws: `keyUnknown`, or `keyState` where the private half is not in the store.
    package func privateKey(_ id: String) async throws -> PrivateKey {
        let row = try await write { transaction in
            guard let row = try KeyRow.find(id, on: transaction.connection) else { throw Refusal(.keyUnknown) }
            guard row.sealed != nil else { throw Refusal(.keyState, .keyState(row.state.rawValue)) }
            try transaction.record(.keyExported, detail: id)
            return row
        }
        return try masterKey.open(row)
    }

    /// Takes the private half of the root key out of the store, for one who has exported it.
    ///
    /// - Throws: `keyUnknown` where the store has no root key.
    package func forgetRootKey() async throws {
        try await write { transaction in
            guard var row = try KeyRow.list(purpose: .root, on: transaction.connection).first else {
                throw Refusal(.keyUnknown)
            }
            row.sealed = nil
            try row.update(on: transaction.connection)
            try transaction.record(.rootKeyForgotten, detail: row.kid)
        }
    }

    /// Adds a key to the store.
    func addKey(
        _ key: PrivateKey, purpose: KeyRow.Purpose, activates: Bool, once: Once<SigningKey>? = nil
    ) async throws -> SigningKey {
        let id = Thumbprint.sha256(of: key.publicKey)
        let sealed = try masterKey.seal(key, id: id)
        let jwk = String(decoding: JWK(key.publicKey).json, as: UTF8.self)
        return try await write(once) { transaction in
            guard try KeyRow.find(id, on: transaction.connection) == nil else {
                throw Refusal(.keyState, .keyState("in the store already"))
            }
            let row = KeyRow(
                kid: id, purpose: purpose, algorithm: key.algorithm.rawValue, jwk: jwk, sealed: sealed,
                publishedAt: transaction.now)
            try row.insert(on: transaction.connection)
            try transaction.record(.keyMade, detail: id)
            guard activates else { return try SigningKey(row) }
            return try transaction.activate(transaction.signingKey(id))
        }
    }
}

extension Transaction {
    /// A key that may sign statements.
    fileprivate func signingKey(_ id: String) throws -> KeyRow {
        guard let row = try KeyRow.find(id, on: connection) else { throw Refusal(.keyUnknown) }
        guard row.purpose == .sign else {
            throw Refusal(.keyState, .keyState("the root key, which signs key histories only"))
        }
        return row
    }

    /// Retires the active key and activates this one.
    fileprivate func activate(_ row: KeyRow) throws -> SigningKey {
        for active in try KeyRow.list(purpose: .sign, state: .active, on: connection) {
            _ = try retire(active)
        }
        var row = row
        row.state = .active
        row.activatedAt = now
        try row.update(on: connection)
        try record(.keyActivated, detail: row.kid)
        return try SigningKey(row)
    }

    fileprivate func retire(_ row: KeyRow) throws -> SigningKey {
        var row = row
        row.state = .retired
        row.retiredAt = now
        row.sealed = nil
        try row.update(on: connection)
        try record(.keyRetired, detail: row.kid)
        return try SigningKey(row)
    }
}

extension AEADKey {
    /// A private key as the store keeps it, bound to its id so that rows cannot be exchanged.
    fileprivate func seal(_ key: PrivateKey, id: String) throws -> [UInt8] {
        try key.der().withBytes { bytes throws(KeyError) in
            try seal(bytes, binding: Self.binding(id).span)
        }
    }

    /// The private half of a key of the store.
    ///
    /// - Throws: `StorageError.corrupt` where it cannot be opened, or is not the one of its public half.
    func open(_ row: KeyRow) throws -> PrivateKey {
        guard let sealed = row.sealed, let algorithm = KeyAlgorithm(rawValue: row.algorithm) else {
            throw Refusal(.keyState, .keyState(row.state.rawValue))
        }
        do {
            let der = try open(sealed.span, binding: Self.binding(row.kid).span)
            let key = try der.withBytes { bytes throws(KeyError) in try PrivateKey(der: bytes, algorithm: algorithm) }
            guard Thumbprint.sha256(of: key.publicKey) == row.kid else {
                throw StorageError(.corrupt, "the private half of key \(row.kid) belongs to another key")
            }
            return key
        } catch let error as KeyError {
            throw StorageError(
                .corrupt, "key \(row.kid) cannot be opened; is this the store's master.key? (\(error.detail))")
        }
    }

    /// Whether it is the key under which the private half was sealed.
    func opens(_ row: KeyRow) -> Bool {
        guard let sealed = row.sealed else { return false }
        return (try? open(sealed.span, binding: Self.binding(row.kid).span)) != nil
    }

    private static func binding(_ id: String) -> [UInt8] {
        Array("countersign private key \(id)".utf8)
    }
}
