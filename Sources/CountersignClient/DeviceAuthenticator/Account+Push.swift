extension Account {
    /// The access token of this session, with some time left: for ``AuthToken/bearer(_:)``. It is worth nothing without the profile's key.
    ///
    /// - Throws: `refused` where the session is over: see ``ServiceError/needsLogIn``.
    public func accessToken() async throws(ServiceError) -> String {
        guard let token = try await authorizer.credentials().token else {
            throw .protocolViolation("the service gave a session without a token")
        }
        return token
    }

    /// Tells the service that this device has a notification.
    func received(_ id: String) async throws(ServiceError) {
        try await connection.done(.post("/v1/notifications/\(Call.segment(id))/received"), as: authorizer)
    }
}
