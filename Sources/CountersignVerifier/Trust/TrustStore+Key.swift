package import CountersignKeys

extension TrustStore {
    /// The key of this id, where what it signed at a time may be believed (`docs/key-history.md`).
    ///
    /// - Parameter issuedAt: seconds since 1970.
    package func key(_ keyID: String, signingAt issuedAt: Int64) -> PublicKey? {
        guard case .trusted(let key)? = entries[keyID], key.objection(at: issuedAt) == nil else { return nil }
        return key.key
    }
}
