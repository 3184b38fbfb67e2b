package import CountersignKeys

/// What a request is authorized with.
package struct Credentials: Sendable {
    /// The access token; nil where there is none yet.
    package let token: String?
    /// The key that proves itself (DPoP); nil: the token is presented alone.
    package let key: PrivateKey?

    /// Credentials.
    package init(token: String?, key: PrivateKey?) {
        self.token = token
        self.key = key
    }

    /// The header field `Authorization`.
    var authorization: String? { token.map { (key == nil ? "Bearer " : "DPoP ") + $0 } }
}

/// Who gives requests their credentials, and keeps what servers say for the next time.
protocol Authorizer: Sendable {
    /// Those for the next request.
    func credentials() async throws(ServiceError) -> Credentials
    /// Others, where these were refused; nil where there are none.
    func credentials(after refused: Credentials) async throws(ServiceError) -> Credentials?
    /// The newest nonce of the server.
    var nonce: String? { get }
    /// The server has a new nonce.
    func take(nonce: String)
}

/// The authorization of calls that need a key's proof and no token: log-ins and refreshes.
struct ProofOnly: Authorizer {
    let key: PrivateKey
    let nonces: NonceBox

    func credentials() -> Credentials { Credentials(token: nil, key: key) }
    func credentials(after refused: Credentials) -> Credentials? { nil }
    var nonce: String? { nonces.nonce }
    func take(nonce: String) { nonces.take(nonce) }
}
