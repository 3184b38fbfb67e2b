/// How an encrypted private key says its key is derived (RFC 8018 appendix A, RFC 7914 section 7), read before any of that work
/// is done: a file may ask for hours of it.
enum PBES2Parameters {
    /// Three times what OWASP asks for today, and a second of work.
    static let maxIterations = 2_000_000
    /// 128 x r x (N + p + 2) bytes: OpenSSL's own bound for scrypt.
    static let maxScryptMemory = 32 << 20
    /// N x r x p: 16 times what `openssl pkcs8 -scrypt` asks for, two seconds of work.
    static let maxScryptWork = 1 << 21
    private static let maxSalt = 1_024

    /// Checks an EncryptedPrivateKeyInfo.
    static func check(_ bytes: Span<UInt8>) throws(KeyError) {
        var reader = DERReader(0..<bytes.count)
        guard var info = reader.enter(.sequence, in: bytes), reader.isAtEnd,
            var algorithm = info.enter(.sequence, in: bytes), let scheme = algorithm.readObjectIdentifier(in: bytes),
            info.read(.octetString, in: bytes) != nil, info.isAtEnd
        else { throw .malformedKey }
        guard scheme == .pbes2 else {
            throw KeyError(
                .unsupportedKey, "the key is encrypted in an old way: openssl pkcs8 -topk8 -v2 aes256 renews it")
        }
        guard var schemes = algorithm.enter(.sequence, in: bytes), algorithm.isAtEnd,
            var derivation = schemes.enter(.sequence, in: bytes), var cipher = schemes.enter(.sequence, in: bytes),
            schemes.isAtEnd, let function = derivation.readObjectIdentifier(in: bytes),
            let parameters = derivation.enter(.sequence, in: bytes), derivation.isAtEnd,
            let cipherName = cipher.readObjectIdentifier(in: bytes)
        else { throw .malformedKey }
        guard let keyCount = ObjectIdentifier.ciphers[cipherName] else {
            throw KeyError(.unsupportedKey, "the key is encrypted with \(cipherName.name), not with AES in CBC mode")
        }
        guard cipher.read(.octetString, in: bytes)?.count == 16, cipher.isAtEnd else { throw .malformedKey }
        switch function {
        case .pbkdf2: try checkPBKDF2(parameters, keyCount, in: bytes)
        case .scrypt: try checkScrypt(parameters, keyCount, in: bytes)
        default:
            throw KeyError(.unsupportedKey, "the key is derived by \(function.name), not by PBKDF2 or scrypt")
        }
    }

    /// The salt, which both begin with.
    private static func checkSalt(_ parameters: inout DERReader, in bytes: Span<UInt8>) throws(KeyError) {
        guard let salt = parameters.read(.octetString, in: bytes), salt.count <= maxSalt else { throw .malformedKey }
    }

    /// The length of the derived key, which may be left out.
    private static func checkLength(
        _ parameters: inout DERReader, _ keyCount: Int, in bytes: Span<UInt8>
    ) throws(KeyError) {
        guard parameters.nextTag(in: bytes) == .integer else { return }
        guard parameters.readSmall(in: bytes) == keyCount else { throw .malformedKey }
    }

    private static func checkPBKDF2(
        _ parameters: DERReader, _ keyCount: Int, in bytes: Span<UInt8>
    ) throws(KeyError) {
        var parameters = parameters
        try checkSalt(&parameters, in: bytes)
        guard try readFactor(&parameters, in: bytes, at: maxIterations, "rounds of PBKDF2") >= 1 else {
            throw .malformedKey
        }
        try checkLength(&parameters, keyCount, in: bytes)
        if parameters.nextTag(in: bytes) == .sequence, var mac = parameters.enter(.sequence, in: bytes) {
            guard let name = mac.readObjectIdentifier(in: bytes), ObjectIdentifier.macs.contains(name) else {
                throw KeyError(.unsupportedKey, "the key is derived with an unknown hash function")
            }
        }
        guard parameters.isAtEnd else { throw .malformedKey }
    }

    private static func checkScrypt(
        _ parameters: DERReader, _ keyCount: Int, in bytes: Span<UInt8>
    ) throws(KeyError) {
        var parameters = parameters
        try checkSalt(&parameters, in: bytes)
        let cost = try readFactor(&parameters, in: bytes, at: maxScryptWork, "as the cost of scrypt")
        let block = try readFactor(&parameters, in: bytes, at: maxScryptWork, "as the block size of scrypt")
        let lanes = try readFactor(&parameters, in: bytes, at: maxScryptWork, "as the lanes of scrypt")
        try checkLength(&parameters, keyCount, in: bytes)
        guard parameters.isAtEnd, cost >= 2, cost & (cost - 1) == 0, block >= 1, lanes >= 1 else {
            throw .malformedKey
        }
        // In this order: the first product is at most 2^44, and the second is only made of a small first one.
        guard block * (cost + lanes + 2) <= maxScryptMemory / 128, cost * block * lanes <= maxScryptWork else {
            throw KeyError(.workTooLarge, "the file asks for more scrypt than is allowed")
        }
    }

    private static func readFactor(
        _ parameters: inout DERReader, in bytes: Span<UInt8>, at limit: Int, _ what: String
    ) throws(KeyError) -> Int {
        guard let number = parameters.readUnsigned(in: bytes) else { throw .malformedKey }
        var value = 0
        for index in number {
            value = value << 8 | Int(bytes[index])
            guard value <= limit else { throw KeyError(.workTooLarge, "the file asks for more than \(limit) \(what)") }
        }
        return value
    }
}
