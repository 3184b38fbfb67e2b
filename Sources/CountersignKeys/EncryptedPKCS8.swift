import COpenSSL

/// Encrypted private keys (RFC 5958 section 3).
enum EncryptedPKCS8 {
    /// OWASP's count for PBKDF2-HMAC-SHA-256.
    private static let iterations: Int32 = 600_000
    private static let saltCount = 16

    /// The PKCS#8 DER inside. A wrong passphrase is told by the padding, or by what comes out being no key.
    static func decrypt(_ der: SecretBytes, passphrase: SecretBytes) throws(KeyError) -> SecretBytes {
        CryptoLibrary.prepare()
        try der.withBytes { (der) throws(KeyError) in try PBES2Parameters.check(der) }
        let sealed = unsafe der.withBytes { der in
            unsafe der.withUnsafeBufferPointer { der in
                var position = der.baseAddress
                return unsafe d2i_X509_SIG(nil, &position, der.count)
            }
        }
        guard let sealed = unsafe sealed else { throw .fromOpenSSL(.malformed, "the encrypted key could not be read") }
        defer { unsafe X509_SIG_free(sealed) }
        let info = unsafe withPassphrase(passphrase) { unsafe PKCS8_decrypt(sealed, $0, $1) }
        guard let info = unsafe info else {
            throw .fromOpenSSL(.wrongPassphrase, "the passphrase is not the right one")
        }
        return try unsafe PKCS8Info(takingOwnershipOf: info).der()
    }

    static func encrypt(_ info: PKCS8Info, passphrase: SecretBytes) throws(KeyError) -> SecretBytes {
        var salt = try SecureRandom.bytes(saltCount)
        // The cipher's and the hash function's numbers are those of OpenSSL's object table.
        let algorithm = unsafe PKCS5_pbe2_set_iv(
            EVP_aes_256_cbc(), iterations, &salt, Int32(saltCount), nil, NID_hmacWithSHA256)
        guard let algorithm = unsafe algorithm else { throw failure }
        let sealed = unsafe info.withPointer { info in
            unsafe withPassphrase(passphrase) { unsafe PKCS8_set0_pbe($0, $1, info, algorithm) }
        }
        guard let sealed = unsafe sealed else {
            unsafe X509_ALGOR_free(algorithm)
            throw failure
        }
        defer { unsafe X509_SIG_free(sealed) }
        return try unsafe secret { unsafe i2d_X509_SIG(sealed, $0) }
    }

    private static var failure: KeyError { .fromOpenSSL(.sealFailed, "the private key could not be encrypted") }

    private static func withPassphrase<Result>(
        _ passphrase: SecretBytes, _ body: (UnsafePointer<CChar>?, Int32) -> Result
    ) -> Result {
        passphrase.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe body(buffer.assumingMemoryBound(to: CChar.self).baseAddress, Int32(buffer.count))
            }
        }
    }
}
