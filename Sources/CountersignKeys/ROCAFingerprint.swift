/// RSA moduli of one maker's chips (CVE-2017-15361, "ROCA"), whose primes can be found. Such primes are powers of 65,537
/// modulo every small prime, and so are their products; of other moduli about one in 10^8 is.
enum ROCAFingerprint {
    /// Whether a modulus, big-endian, has the mark.
    static func isIn(_ modulus: Span<UInt8>) -> Bool {
        for prime in primes {
            var remainder: UInt32 = 0
            for index in modulus.indices { remainder = (remainder << 8 | UInt32(modulus[index])) % prime }
            var power: UInt32 = 1
            var isPower = false
            repeat {
                isPower = isPower || power == remainder
                power = power * 65_537 % prime
            } while power != 1
            if !isPower { return false }
        }
        return true
    }

    /// The odd primes that divide the maker's constant for every length of key.
    private static let primes: [UInt32] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
        113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]
}
