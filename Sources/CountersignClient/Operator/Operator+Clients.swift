internal import CountersignJOSE
internal import CountersignKeys
internal import Wire

extension Operator {
    /// All relying services.
    public func clients() async throws(ServiceError) -> [ClientRecord] {
        let clients: [ClientMessage] = try await connection.list(.get("/v1/clients"), as: authorizer)
        return clients.map(ClientRecord.init)
    }

    /// Adds a relying service that authenticates with a secret.
    ///
    /// - Returns: it, with its secret, which the service shows this once.
    public func addClient(_ name: String) async throws(ServiceError) -> ClientRecord {
        ClientRecord(try await connection.message(.post("/v1/clients", AddClient(client: name)), as: authorizer))
    }

    /// Adds a relying service that authenticates with a key (`private_key_jwt`).
    ///
    /// - Parameter publicKey: Its public key in PEM, or as a JWK.
    public func addClient(_ name: String, publicKey: [UInt8]) async throws(ServiceError) -> ClientRecord {
        let key: JWK
        if publicKey.first == UInt8(ascii: "{") {
            guard let object = (try? JSON(parsing: publicKey, maxBytes: 16_384))?.object, let jwk = try? JWK(object)
            else {
                throw .local("this is no public key that can be used")
            }
            key = jwk
        } else {
            do throws(KeyError) { key = JWK(try PublicKey(pem: publicKey.span)) } catch { throw ServiceError(error) }
        }
        return ClientRecord(
            try await connection.message(.post("/v1/clients", AddClient(client: name, key: key)), as: authorizer))
    }

    /// Locks a relying service and ends its sessions.
    public func lockClient(_ name: String) async throws(ServiceError) {
        try await connection.done(.post("/v1/clients/\(Call.segment(name))/lock"), as: authorizer)
    }

    /// Unlocks a relying service.
    public func unlockClient(_ name: String) async throws(ServiceError) {
        try await connection.done(.post("/v1/clients/\(Call.segment(name))/unlock"), as: authorizer)
    }
}
