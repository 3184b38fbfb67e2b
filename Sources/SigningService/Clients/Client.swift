internal import CountersignJOSE
package import CountersignKeys
package import Sessions
internal import Storage

/// How a relying service proves who it is.
package enum ClientCredential: Sendable {
    /// With a secret that is made for it (RFC 6749 section 2.3.1).
    case generatedSecret
    /// With a signature of its own key (RFC 7523).
    case key(PublicKey)
}

/// A relying service as the operator sees it.
package struct Client: Sendable {
    /// Its name, which is also the `aud` of the statements that it asks for.
    package let name: ClientName
    /// Its key; nil where it has a secret.
    package let key: PublicKey?
    /// Whether the operator locked it.
    package let isLocked: Bool
    /// When it was added, milliseconds since 1970.
    package let createdAt: Int64

    init(_ row: ClientRow) throws {
        guard let name = ClientName(row.name) else {
            throw StorageError(.corrupt, "a relying service has a name that is none")
        }
        self.name = name
        key = try row.jwk.map { text in
            guard case .object(let object)? = try? JSON(parsing: text.utf8.span, maxBytes: text.utf8.count),
                let jwk = try? JWK(object)
            else { throw StorageError(.corrupt, "the key of \(row.name) is none") }
            return jwk.key
        }
        isLocked = row.isLocked
        createdAt = row.createdAt
    }
}

/// A relying service that was just added.
package struct AddedClient: Sendable {
    /// The service.
    package let client: Client
    /// Its secret, of which this is the only copy; nil where it has a key.
    package let secret: SessionToken?
}
