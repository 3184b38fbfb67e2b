import COpenSSL

extension PrivateKey {
    /// A key of its PKCS#8 (RFC 5208, RFC 5958) in PEM, encrypted or not. A passphrase that is not needed is not used. The
    /// algorithm follows from the key; RSA has two, so it has to be named. Nothing is ever asked on a terminal, and the
    /// work that an encrypted file may ask for is bounded.
    package init(
        pem: Span<UInt8>, passphrase: SecretBytes? = nil, algorithm: KeyAlgorithm? = nil
    ) throws(KeyError) {
        let (label, der) = try PEM.decode(pem)
        switch label {
        case .privateKey:
            self = try der.withBytes { (der) throws(KeyError) in try PrivateKey(pkcs8: der, algorithm: algorithm) }
        case .encryptedPrivateKey:
            guard let passphrase else {
                throw KeyError(.passphraseNeeded, "the key is encrypted: a passphrase is needed")
            }
            let plain = try EncryptedPKCS8.decrypt(der, passphrase: passphrase)
            self = try plain.withBytes { (der) throws(KeyError) in try PrivateKey(pkcs8: der, algorithm: algorithm) }
        case .publicKey:
            throw KeyError(.malformed, "a public key where a private one is wanted")
        }
    }

    /// A key of its PKCS#8 in DER, as `der()` writes it.
    package init(der: Span<UInt8>, algorithm: KeyAlgorithm) throws(KeyError) {
        try self.init(pkcs8: der, algorithm: algorithm)
    }

    /// The key as PKCS#8 in DER.
    package func der() throws(KeyError) -> SecretBytes {
        let info = try PKCS8Info(handle)
        return try info.der()
    }

    /// The key as PKCS#8 in PEM, not encrypted.
    package func pem() throws(KeyError) -> SecretBytes {
        try der().withBytes { PEM.encode(.privateKey, $0) }
    }

    /// The key as encrypted PKCS#8 in PEM: PBES2 (RFC 8018) with PBKDF2-HMAC-SHA-256, 600,000 rounds, and AES-256-CBC.
    package func encryptedPEM(passphrase: SecretBytes) throws(KeyError) -> SecretBytes {
        let info = try PKCS8Info(handle)
        return try EncryptedPKCS8.encrypt(info, passphrase: passphrase).withBytes {
            PEM.encode(.encryptedPrivateKey, $0)
        }
    }

    private init(pkcs8: Span<UInt8>, algorithm wanted: KeyAlgorithm?) throws(KeyError) {
        CryptoLibrary.prepare()
        let shape = try PKCS8Shape(pkcs8)
        let algorithm = try shape.type.algorithm(wanted)
        let handle: KeyHandle
        if case .ed25519 = shape.type {
            handle = try KeyHandle(ed25519Seed: pkcs8.extracting(shape.key))
        } else if let known = KeyHandle(shape, in: pkcs8) {
            handle = known
        } else {
            handle = try KeyHandle(try PKCS8Info(parsing: pkcs8))
        }
        try self.init(handle, algorithm: algorithm)
        if case .okp(let x) = publicKey.components, let stated = shape.publicKey {
            guard pkcs8.extracting(stated).isEqual(to: x.span) else {
                throw KeyError(.keyMismatch, "the private half does not belong to the public half")
            }
        }
    }
}
