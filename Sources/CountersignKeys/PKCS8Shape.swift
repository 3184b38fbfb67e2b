/// Where the parts of a PKCS#8 key are, after the checks that need no arithmetic. OpenSSL reads it again; here the sizes
/// are bounded before it does.
struct PKCS8Shape {
    let type: KeyType
    /// The seed of Ed25519; the inner structure of the others.
    let key: Range<Int>
    /// The public half that RFC 5958 allows beside an Ed25519 seed.
    let publicKey: Range<Int>?
    /// The number of an EC key and the point beside it, where one is there and is not compressed.
    let halves: (number: Range<Int>, point: Range<Int>)?

    init(_ bytes: Span<UInt8>) throws(KeyError) {
        var reader = DERReader(0..<bytes.count)
        guard var info = reader.enter(.sequence, in: bytes), reader.isAtEnd, let version = info.readSmall(in: bytes),
            version <= 1
        else { throw .malformedKey }
        type = try KeyType(reading: &info, in: bytes)
        guard let content = info.read(.octetString, in: bytes) else { throw .malformedKey }
        if info.nextTag(in: bytes) == .context0 { _ = info.read(.context0, in: bytes) }
        if version == 1, type == .ed25519, let bits = info.read(.contextPrimitive1, in: bytes) {
            // An implicit bit string: one byte tells that no bit is unused.
            guard bits.count == 33, bytes[bits.lowerBound] == 0 else { throw .malformedKey }
            publicKey = bits.lowerBound + 1..<bits.upperBound
        } else {
            publicKey = nil
        }
        guard info.isAtEnd else { throw .malformedKey }
        switch type {
        case .ec(let curve):
            halves = try Self.checkEC(curve, content, in: bytes)
            key = content
        case .rsa:
            try Self.checkRSA(content, in: bytes)
            key = content
            halves = nil
        case .ed25519:
            // RFC 8410 section 7: an octet string in an octet string.
            var inner = DERReader(content)
            guard let seed = inner.read(.octetString, in: bytes), inner.isAtEnd, seed.count == 32 else {
                throw .malformedKey
            }
            key = seed
            halves = nil
        }
    }

    /// RFC 5915 section 3. The public half, where it is there, is OpenSSL's to compare.
    private static func checkEC(
        _ curve: Curve, _ content: Range<Int>, in bytes: Span<UInt8>
    ) throws(KeyError) -> (number: Range<Int>, point: Range<Int>)? {
        var outer = DERReader(content)
        guard var key = outer.enter(.sequence, in: bytes), outer.isAtEnd, key.readSmall(in: bytes) == 1,
            let number = key.read(.octetString, in: bytes), number.count == curve.width
        else { throw .malformedKey }
        if key.nextTag(in: bytes) == .context0 {
            guard var parameters = key.enter(.context0, in: bytes),
                parameters.readObjectIdentifier(in: bytes) == (curve == .p256 ? .p256 : .p384), parameters.isAtEnd
            else { throw KeyError(.wrongCurve, "the key names two curves, or spells one out") }
        }
        var point: Range<Int>?
        if key.nextTag(in: bytes) == .context1 {
            guard var half = key.enter(.context1, in: bytes), let bits = half.readBits(in: bytes), half.isAtEnd else {
                throw .malformedKey
            }
            point = bits
        }
        guard key.isAtEnd else { throw .malformedKey }
        guard let point, point.count == 1 + 2 * curve.width, bytes[point.lowerBound] == 4 else { return nil }
        return (number, point)
    }

    /// RFC 8017 appendix A.1.2, with two primes.
    private static func checkRSA(_ content: Range<Int>, in bytes: Span<UInt8>) throws(KeyError) {
        var outer = DERReader(content)
        guard var key = outer.enter(.sequence, in: bytes), outer.isAtEnd, key.readSmall(in: bytes) == 0,
            let modulus = key.readUnsigned(in: bytes), let exponent = key.readUnsigned(in: bytes)
        else { throw .malformedKey }
        try RSALimits.check(modulus: bytes.extracting(modulus), exponent: bytes.extracting(exponent))
        for _ in 0..<6 {
            guard let number = key.readUnsigned(in: bytes), !number.isEmpty, number.count <= modulus.count else {
                throw .malformedKey
            }
        }
        guard key.isAtEnd else { throw .malformedKey }
    }
}
