internal import CountersignKeys
internal import Signing
internal import Wire

extension Account {
    /// Logs in as a relying service. The profile keeps its secret or key, and begins another session where one has ended; its
    /// tokens are bound to the profile's own key.
    ///
    /// - Parameters:
    ///   - client: The name that the operator gave the service.
    ///   - credential: The secret that the operator got for it, or the private key whose public half the operator added.
    /// - Throws: `refused` with 1828 where anything of it is wrong; `local` for a key with a passcode, which the profile would have to
    ///   keep without it.
    public func logIn(client: String, _ credential: RelyingService.Credential) async throws(ServiceError) {
        if case .key(_, .some) = credential {
            throw .local("a profile keeps the key to begin sessions with: give one without a passcode")
        }
        let credential = try ClientCredential(name: client, credential)
        try await take(credential.grant(connection, as: authorizer.proofOnly))
        try authorizer.keep(credential)
    }
}
