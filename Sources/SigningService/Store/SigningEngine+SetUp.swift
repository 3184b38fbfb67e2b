package import CountersignKeys
internal import CountersignVerifier
internal import Signing
package import Storage

/// What a new store is made with.
package struct StoreSetUp: Sendable {
    /// `iss` of the statements; nil: the `urn:uuid:` of the store.
    package var issuer: String?
    /// The algorithm of the first signing key.
    package var algorithm: KeyAlgorithm
    /// The algorithm of the root key.
    package var rootAlgorithm: KeyAlgorithm

    /// What a new store is made with.
    package init(issuer: String? = nil, algorithm: KeyAlgorithm = .es256, rootAlgorithm: KeyAlgorithm = .es256) {
        self.issuer = issuer
        self.algorithm = algorithm
        self.rootAlgorithm = rootAlgorithm
    }
}

extension SigningEngine {
    /// Sets a new store up: its name, a signing key that is active, a root key.
    ///
    /// - Throws: `audienceMalformed`'s sister for issuers, `issuerMalformed`.
    package func setUp(_ setUp: StoreSetUp) async throws {
        let id = try Self.newID().text
        let issuer = setUp.issuer ?? "urn:uuid:\(id)"
        guard Claims.isIssuer(issuer) else { throw Refusal(.issuerMalformed) }
        try await write { transaction in
            try StoreFacts(id: id, issuer: issuer, createdAt: transaction.now).insert(on: transaction.connection)
            try transaction.record(.storeMade, detail: issuer)
        }
        _ = try await addKey(PrivateKey(generating: setUp.rootAlgorithm), purpose: .root, activates: false)
        _ = try await addKey(PrivateKey(generating: setUp.algorithm), purpose: .sign, activates: true)
    }

    /// The store's name and age.
    package func facts() async throws -> StoreFacts {
        try await database.read { connection in
            guard let facts = try StoreFacts.find(on: connection) else {
                throw StorageError(.notAStore, "the store was never set up")
            }
            return facts
        }
    }
}
