internal import CountersignJOSE
public import CountersignKeys
public import CountersignVerifier
internal import Wire

extension Operator {
    /// All keys, the root key included.
    public func keys() async throws(ServiceError) -> [KeyRecord] {
        let keys: [KeyMessage] = try await connection.list(.get("/v1/keys"), as: authorizer)
        return keys.map(KeyRecord.init)
    }

    /// Makes a key that does not sign yet, so that verifiers can learn of it.
    public func createKey(_ algorithm: KeyAlgorithm = .es256) async throws(ServiceError) -> KeyRecord {
        KeyRecord(
            try await connection.message(.post("/v1/keys", CreateKey(algorithm: algorithm.rawValue)), as: authorizer))
    }

    /// Lets another key sign from now on; the one until now is retired.
    ///
    /// - Parameters:
    ///   - id: A published key; nil: a new one is made.
    ///   - algorithm: That of a new one.
    public func rotateKeys(to id: String? = nil, algorithm: KeyAlgorithm = .es256) async throws(ServiceError)
        -> KeyRecord
    {
        let message = RotateKeys(to: id, algorithm: id == nil ? algorithm.rawValue : nil)
        return KeyRecord(try await connection.message(.post("/v1/keys/rotate", message), as: authorizer))
    }

    /// Ends a key's time: it never signs again; what it signed holds.
    public func retireKey(_ id: String) async throws(ServiceError) {
        try await connection.done(.post("/v1/keys/\(Call.segment(id))/retire"), as: authorizer)
    }

    /// Revokes a key: superseded, and what it signed before holds; or compromised, and nothing that it signed proves when.
    public func revokeKey(_ id: String, as reason: TrustedKey.Revocation.Reason) async throws(ServiceError) {
        try await connection.done(
            .post("/v1/keys/\(Call.segment(id))/revoke", RevokeKey(reason: reason.rawValue)), as: authorizer)
    }

    /// Signs a new key history with the root key that the service holds.
    ///
    /// - Returns: the history, as ``CountersignService/keyHistory()`` then gives it.
    public func signKeyHistory() async throws(ServiceError) -> String {
        try await connection.text(.post("/v1/trust/history", accept: "application/jwt"), as: authorizer)
    }
}
