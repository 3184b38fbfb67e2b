internal import CountersignJOSE
package import CountersignKeys
package import CountersignVerifier
internal import Signing
internal import Storage

extension SigningEngine {
    /// The JWKS with every key that signs, signed or will sign, in the order in which they were made. A compromised
    /// key says so.
    ///
    /// - Returns: JSON, in one line without a newline.
    package func keySet() async throws -> [UInt8] {
        let keys = try await keys().filter { $0.purpose == .statements }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("keys")
        writer.beginArray()
        for key in keys { key.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    /// A new key history, signed by the root key; it is kept in the store.
    ///
    /// - Parameter key: the root key, where its private half is not in the store.
    /// - Returns: the compact JWS, without a newline.
    /// - Throws: `keyUnknown` where `key` is not the root key; `keyState` where there is none to sign with;
    ///   `noActiveKey` where no key ever signed.
    package func signHistory(with key: PrivateKey? = nil, once: Once<[UInt8]>? = nil) async throws -> [UInt8] {
        let masterKey = masterKey
        return try await write(once) { transaction in
            guard let root = try KeyRow.list(purpose: .root, on: transaction.connection).first else {
                throw Refusal(.keyUnknown)
            }
            let signer = try key ?? masterKey.open(root)
            guard Thumbprint.sha256(of: signer.publicKey) == root.kid else { throw Refusal(.keyUnknown) }
            let keys = try KeyRow.list(purpose: .sign, on: transaction.connection)
                .map { try SigningKey($0) }.compactMap(\.trusted)
            guard !keys.isEmpty else { throw Refusal(.noActiveKey) }
            // Not below the time, so that a restored store does not give a serial out again.
            let newest = try HistoryRow.newest(on: transaction.connection)?.serial ?? 0
            let serial = max(newest.saturatingAdd(1), transaction.now / 1000)
            let life = try transaction.settings().historyLife
            let history = KeyHistory(
                issuer: try transaction.facts().issuer, issuedAt: transaction.now / 1000,
                expiresAt: (transaction.now + life) / 1000, serial: serial, root: signer.publicKey, keys: keys)
            let text = try history.signed(by: signer)
            try HistoryRow(serial: serial, at: transaction.now, text: String(decoding: text, as: UTF8.self))
                .insert(on: transaction.connection)
            try transaction.record(.historySigned, detail: "serial \(serial)")
            return text
        }
    }

    /// The newest key history that was signed, or nil.
    package func newestHistory() async throws -> [UInt8]? {
        try await database.read { try HistoryRow.newest(on: $0) }.map { Array($0.text.utf8) }
    }

    /// What a verifier trusts who has the store: every key, with its times.
    package func trust() async throws -> TrustStore {
        try await TrustStore(keys: keys().filter { $0.purpose == .statements }.compactMap(\.trusted))
    }
}

extension SigningKey {
    /// The key with its times in seconds; nil where it never signed.
    fileprivate var trusted: TrustedKey? {
        guard let activatedAt else { return nil }
        return TrustedKey(
            key: key, notBefore: activatedAt / 1000, notAfter: retiredAt.map { $0 / 1000 },
            revocation: revocationValue)
    }

    private var revocationValue: TrustedKey.Revocation? {
        guard let revokedAt, let reason = revocation.flatMap(TrustedKey.Revocation.Reason.init(rawValue:)) else {
            return nil
        }
        return TrustedKey.Revocation(at: revokedAt / 1000, reason: reason)
    }

    /// The public JWK; a compromised key has the member `revoked` (docs/key-history.md).
    fileprivate func write(to writer: inout JSONWriter) {
        let jwk = JWK(key).json
        guard let revocation = revocationValue, revocation.reason == .compromised,
            case .object(var object)? = try? JSON(parsing: jwk, maxBytes: jwk.count)
        else {
            JWK(key).write(to: &writer)
            return
        }
        var revoked = JSONObject()
        revoked["at"] = .number(JSONNumber(revocation.at))
        revoked["reason"] = .string(revocation.reason.rawValue)
        object["revoked"] = .object(revoked)
        writer.value(.object(object))
    }
}

extension Transaction {
    func facts() throws -> StoreFacts {
        guard let facts = try StoreFacts.find(on: connection) else {
            throw StorageError(.notAStore, "the store was never set up")
        }
        return facts
    }
}
