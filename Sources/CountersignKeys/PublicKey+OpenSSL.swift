import COpenSSL

extension KeyHandle {
    /// OpenSSL's key of these numbers, after all checks.
    convenience init(_ components: PublicKey.Components, algorithm: KeyAlgorithm) throws(KeyError) {
        CryptoLibrary.prepare()
        let pointer: OpaquePointer?
        switch (algorithm.keyType, components) {
        case (.ec(let curve), .ec(let x, let y)):
            guard x.count == curve.width, y.count == curve.width else {
                throw KeyError(
                    .malformed, "coordinates on \(curve.name) have \(curve.width) bytes, not \(x.count) and \(y.count)")
            }
            let point = [0x04] + x + y
            unsafe pointer = unsafe countersign_ec_public_key(curve.name, point, point.count)
            guard unsafe pointer != nil else {
                throw .fromOpenSSL(.notOnCurve, "the point is not on \(curve.name)")
            }
        case (.ed25519, .okp(let x)):
            try Ed25519Point.check(x)
            unsafe pointer = unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, x, x.count)
        case (.rsa, .rsa(let modulus, let exponent)):
            try RSALimits.check(modulus: modulus.span, exponent: exponent.span)
            unsafe pointer = unsafe countersign_rsa_public_key(modulus, Int32(modulus.count), UInt(RSALimits.exponent))
        default:
            throw KeyError(.algorithmMismatch, "this type of key is not one for \(algorithm.rawValue)")
        }
        guard let pointer = unsafe pointer else {
            throw .fromOpenSSL(.malformed, "the public key could not be read")
        }
        unsafe self.init(takingOwnershipOf: pointer)
    }
}
