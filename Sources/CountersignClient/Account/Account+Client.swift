internal import CountersignKeys
internal import Signing
internal import Wire

extension Account {
    /// Logs in as a relying service. The profile keeps the secret, and begins another session where one has ended; its tokens
    /// are bound to the profile's key.
    ///
    /// - Parameters:
    ///   - client: The name that the operator gave the service.
    ///   - secret: The secret that the operator got for it.
    /// - Throws: `refused` with 1828 where anything of it is wrong.
    public func logIn(client: String, secret: Secret) async throws(ServiceError) {
        let credential = ClientCredential(name: client, secret: secret)
        try await take(connection.message(credential.call, as: authorizer.proofOnly))
        try authorizer.keep(credential)
    }
}

/// Who a relying service is, and its secret.
struct ClientCredential: Sendable {
    let name: String
    let secret: Secret

    /// The file of a profile that has the secret.
    static let fileName = "client.secret"
    static let maxBytes = 1024

    /// The request for a session. A session begun twice does no harm, so it has no key.
    var call: Call {
        // Anything but UTF-8 is a wrong secret, which the service says.
        let text = secret.bytes.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        return .token(TokenRequest(.clientCredentials, client: name, secret: text), key: nil)
    }
}
