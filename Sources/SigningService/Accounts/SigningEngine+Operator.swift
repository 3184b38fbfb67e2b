internal import CountersignJOSE
package import CountersignKeys
internal import CountersignVerifier
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Makes the token with which an operator begins: it works once, for `activation-hours`, and replaces one that was not used.
    package func makeOperatorToken() async throws -> SessionToken {
        let token = try SessionToken.generate(.operatorToken)
        let hash = token.hash
        try await write { transaction in
            let end = transaction.now.saturatingAdd(try transaction.settings().activationLife)
            try OperatorTokenRow.replace(hash: hash, expiresAt: end, on: transaction.connection)
            try transaction.record(.operatorTokenMade)
        }
        return token
    }

    /// Logs an operator in. The session is bound to the key.
    ///
    /// - Parameter key: one that the caller proved to have.
    /// - Throws: `authenticationFailed`, `deviceKeyRefused`.
    package func logInOperator(
        _ token: SessionToken, key: PublicKey, once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant {
        try Self.checkDeviceKey(key)
        let thumbprint = Thumbprint.sha256(of: key)
        let tokens = try SessionTokens()
        let hash = token.hash
        let masterKey = masterKey
        let grant: SessionGrant? = try await write { transaction in
            try transaction.begin(once)
            guard try OperatorTokenRow.use(hash: hash, at: transaction.now, on: transaction.connection) else {
                return nil
            }
            let grant = try transaction.openSession(tokens, of: .operator, thumbprint: thumbprint)
            try transaction.record(.operatorLoggedIn, detail: "session \(tokens.id.text), key \(thumbprint)")
            try transaction.keep(grant, once, masterKey)
            return grant
        }
        guard let grant else {
            try await noteStranger(.operatorRefused, "no such token")
            throw Refusal(.authenticationFailed)
        }
        return grant
    }

    /// The algorithms that a device's key may have: those of its proofs (RFC 9449).
    ///
    /// - Throws: `deviceKeyRefused`.
    static func checkDeviceKey(_ key: PublicKey) throws(Refusal) {
        guard DPoPProof.algorithms.contains(key.algorithm) else { throw Refusal(.deviceKeyRefused) }
    }
}
