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
        var (bytes, isOpenToOthers) = try contents(of: path)
        defer { wipe(&bytes) }
        do throws(KeyError) {
            let key = try PrivateKey(pem: bytes.span, algorithm: algorithm)
            if isOpenToOthers {
                Diagnosis.warn("others may read \(path), which is not encrypted; `chmod 600` it")
            }
            return key
        } catch {
            guard error.code == .passphraseNeeded else { throw unusable(path, error, algorithm) }
        }
        let passphrase = try options.passphrase("Password of \(TerminalText.line(path))")
        do throws(KeyError) {
            return try PrivateKey(pem: bytes.span, passphrase: passphrase, algorithm: algorithm)
        } catch {
            throw unusable(path, error, algorithm)
        }
    }

    /// Reads a key that nobody is to be asked a passphrase for: its PEM.
    static func unencrypted(_ path: String) throws(Failure) -> SecretBytes {
        var (bytes, isOpenToOthers) = try contents(of: path)
        defer { wipe(&bytes) }
        do throws(KeyError) {
            let pem = try PrivateKey(pem: bytes.span).pem()
            if isOpenToOthers { Diagnosis.warn("others may read \(path), which is not encrypted; `chmod 600` it") }
            return pem
        } catch {
            guard error.code == .passphraseNeeded else { throw unusable(path, error, nil) }
            throw Failure(
                .refusedInput, "the key in \(path) is encrypted",
                advice: "Sessions are begun with it without asking anybody: give it decrypted, in a file of mode 0600.")
        }
    }

    private static func contents(of path: String) throws(Failure) -> (bytes: [UInt8], isOpenToOthers: Bool) {
        do throws(SystemError) {
            let file = try Descriptor.reading(path)
            let status = try file.status()
            if let bytes = try file.readAll(limit: limit) {
                return (bytes, status.isRegular && status.isOpenToOthers)
            }
        } catch {
            throw Failure(.refusedInput, "cannot read \(path): \(error.text)")
        }
        throw Failure(.refusedInput, "the key from \(path) has more than \(limit) bytes")
    }

    private static func unusable(_ path: String, _ error: KeyError, _ algorithm: KeyAlgorithm?) -> Failure {
        Failure(
            error.code == .wrongPassphrase ? .authenticationFailed : .refusedInput,
            "the key in \(path) cannot be used: \(error.detail)",
            advice: error.code == .algorithmMismatch && algorithm == nil ? "Say what it is for with --algorithm." : nil)
    }
}
