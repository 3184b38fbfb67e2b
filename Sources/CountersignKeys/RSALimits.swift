/// What an RSA key must be, checked on its bytes: before any arithmetic with it, because that is what a huge modulus is for.
enum RSALimits {
    static let bits = 2048...4096
    static let exponent = 65_537
    private static let exponentBytes: [UInt8] = [0x01, 0x00, 0x01]

    /// Both big-endian, without leading zeros.
    static func check(modulus: Span<UInt8>, exponent: Span<UInt8>) throws(KeyError) {
        guard !modulus.isEmpty, modulus[0] != 0, !exponent.isEmpty, exponent[0] != 0 else {
            throw KeyError(.malformed, "an RSA number is empty or has a leading zero")
        }
        guard modulus.count <= bits.upperBound / 8 else {
            throw KeyError(.modulusTooLarge, "the RSA modulus has more than \(bits.upperBound) bits")
        }
        let count = modulus.count * 8 - modulus[0].leadingZeroBitCount
        guard count >= bits.lowerBound else {
            throw KeyError(.modulusTooSmall, "the RSA modulus has \(count) bits, fewer than \(bits.lowerBound)")
        }
        guard modulus[modulus.count - 1] & 1 == 1 else {
            throw KeyError(.evenModulus, "the RSA modulus is even")
        }
        guard exponent.isEqual(to: exponentBytes.span) else {
            throw KeyError(.weakExponent, "the RSA public exponent is not \(Self.exponent)")
        }
        guard !ROCAFingerprint.isIn(modulus) else {
            throw KeyError(.weakPrimes, "the RSA modulus is of a kind whose primes can be found (CVE-2017-15361)")
        }
    }
}

extension Span<UInt8> {
    /// Whether the bytes are the same. For what is no secret.
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
