import CountersignKeys

/// A private key in a file of its own: encrypted PKCS#8 in PEM, for its owner alone, never over another file.
enum PrivateKeyFile {
    /// The longest that is read.
    private static let limit = 65_536

    static func write(_ pem: SecretBytes, to path: String) throws(Failure) {
        try pem.withBytes { bytes throws(Failure) in
            try AtomicFile.write(bytes, to: path, mode: 0o600, existing: .refuse)
        }
    }

    /// Reads a key; its passphrase is asked for where it has one.
    static func read(_ path: String, algorithm: KeyAlgorithm?, _ options: PasswordOptions) throws(Failure) -> PrivateKey
    {
        var bytes = try InputSource.file(path).bytes(limit: limit, what: "key")
        defer { wipe(&bytes) }
        do throws(KeyError) {
            return try PrivateKey(pem: bytes.span, algorithm: algorithm)
        } catch {
            guard error.code == .passphraseNeeded else { throw unusable(path, error) }
        }
        let passphrase = try options.passphrase("Password of \(TerminalText.line(path))")
        do throws(KeyError) {
            return try PrivateKey(pem: bytes.span, passphrase: passphrase, algorithm: algorithm)
        } catch {
            throw unusable(path, error)
        }
    }

    private static func unusable(_ path: String, _ error: KeyError) -> Failure {
        Failure(
            error.code == .wrongPassphrase ? .authenticationFailed : .refusedInput,
            "the key in \(path) cannot be used: \(error.detail)",
            advice: error.code == .algorithmMismatch ? "Say what it is for with --algorithm." : nil)
    }
}
