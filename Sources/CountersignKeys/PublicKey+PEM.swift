extension PublicKey {
    /// A key of its SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) in PEM. The algorithm follows from the key; RSA has two, so
    /// it has to be named. What would be written differently is refused.
    public init(pem: Span<UInt8>, algorithm: KeyAlgorithm? = nil) throws(KeyError) {
        let (label, der) = try PEM.decode(pem)
        guard label == .publicKey else {
            throw KeyError(.malformed, "a private key where a public one is wanted: openssl pkey -pubout writes it")
        }
        self = try der.withBytes { (der) throws(KeyError) in try PublicKey(spki: der, algorithm: algorithm) }
    }

    /// The key as SubjectPublicKeyInfo in PEM, which `openssl` reads.
    public var pem: String {
        PEM.encode(.publicKey, spki.span).withBytes { String(decoding: $0.array, as: UTF8.self) }
    }

    /// The DER of the SubjectPublicKeyInfo.
    var spki: [UInt8] {
        let key: [UInt8]
        switch components {
        case .ec(let x, let y): key = [0x04] + x + y
        case .okp(let x): key = x
        case .rsa(let modulus, let exponent):
            key = DERWriter.sequence(DERWriter.unsigned(modulus), DERWriter.unsigned(exponent))
        }
        return DERWriter.sequence(algorithm.keyType.der, DERWriter.bits(key))
    }

    init(spki: Span<UInt8>, algorithm wanted: KeyAlgorithm?) throws(KeyError) {
        var reader = DERReader(0..<spki.count)
        guard var info = reader.enter(.sequence, in: spki), reader.isAtEnd else { throw .malformedKey }
        let type = try KeyType(reading: &info, in: spki)
        guard let bits = info.readBits(in: spki), info.isAtEnd else { throw .malformedKey }
        let algorithm = try type.algorithm(wanted)
        let key = spki.extracting(bits)
        try self.init(Components(type, key), algorithm: algorithm)
        // Decoded, encoded again and compared: a key has one spelling.
        guard spki.isEqual(to: self.spki.span) else { throw .malformedKey }
    }
}

extension PublicKey.Components {
    /// Reads what the bit string of a SubjectPublicKeyInfo holds.
    fileprivate init(_ type: KeyType, _ key: Span<UInt8>) throws(KeyError) {
        switch type {
        case .ec(let curve): self = try Self.ec(curve, key)
        case .ed25519: self = .okp(x: key.array)
        case .rsa: self = try Self.rsa(key)
        }
    }

    /// RFC 5480 section 2.2, uncompressed.
    private static func ec(_ curve: Curve, _ key: Span<UInt8>) throws(KeyError) -> Self {
        guard !key.isEmpty else { throw .malformedKey }
        switch key[0] {
        case 0x00 where key.count == 1:
            throw KeyError(.pointAtInfinity, "the point is the one at infinity")
        case 0x02, 0x03:
            throw KeyError(
                .unsupportedKey, "the point is compressed: openssl ec -conv_form uncompressed writes it whole")
        case 0x04 where key.count == 1 + 2 * curve.width:
            return .ec(
                x: key.extracting(1..<1 + curve.width).array, y: key.extracting((1 + curve.width)...).array)
        default:
            throw KeyError(.malformed, "the key is no uncompressed point of \(curve.name)")
        }
    }

    /// RFC 8017 appendix A.1.1.
    private static func rsa(_ key: Span<UInt8>) throws(KeyError) -> Self {
        var reader = DERReader(0..<key.count)
        guard var numbers = reader.enter(.sequence, in: key), reader.isAtEnd,
            let modulus = numbers.readUnsigned(in: key), let exponent = numbers.readUnsigned(in: key), numbers.isAtEnd
        else { throw .malformedKey }
        return .rsa(modulus: key.extracting(modulus).array, exponent: key.extracting(exponent).array)
    }
}
