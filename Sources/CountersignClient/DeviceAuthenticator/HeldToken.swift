internal import CountersignKeys

/// The authorization of a call whose access token the caller brought. Where the service refuses it, there is no other.
struct HeldToken: Authorizer {
    let token: String
    let key: PrivateKey
    private let nonces: NonceBox

    init(_ token: AuthToken, key: PrivateKey, nonces: NonceBox) {
        self.token = token.text
        self.key = key
        self.nonces = nonces
    }

    func credentials() -> Credentials { Credentials(token: token, key: key) }
    func credentials(after refused: Credentials) -> Credentials? { nil }
    var nonce: String? { nonces.nonce }
    func take(nonce: String) { nonces.take(nonce) }
}
