import COpenSSL

/// The check of an Ed25519 public key, which OpenSSL does not make: it takes any 32 bytes. With a point of small order as
/// the key, R = identity and S = 0 is a signature of every message.
enum Ed25519Point {
    /// p = 2^255 - 19 and what is near it, little-endian.
    private static func nearPrime(_ lowest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    }

    private static func small(_ lowest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: 0, count: 31)
    }

    /// The y of the points of order 1, 2, 4 and 8, each also as y + p where that fits into 255 bits. The sign of x is
    /// another bit. (Order 8: y^2 is the root of d·y^4 + 2·y^2 - 1.)
    private static let smallOrder: [[UInt8]] = [
        small(0), small(1), nearPrime(0xEC), nearPrime(0xED), nearPrime(0xEE),
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]

    static func check(_ key: [UInt8]) throws(KeyError) {
        guard key.count == 32 else {
            throw KeyError(.malformed, "an Ed25519 key has 32 bytes, not \(key.count)")
        }
        var y = key
        y[31] &= 0x7F
        guard !smallOrder.contains(y) else {
            throw KeyError(.smallOrder, "the Ed25519 point has a small order: anybody can sign for it")
        }
        // Little-endian and below 2^255: not below p are only the 19 values with every middle bit set.
        guard y[31] != 0x7F || y[1...30].contains(where: { $0 != 0xFF }) || y[0] < 0xED else {
            throw KeyError(.nonCanonicalPoint, "the Ed25519 point is not in its canonical form")
        }
        guard try hasPoint(y) else {
            throw KeyError(.notOnCurve, "the bytes are no Ed25519 point")
        }
    }

    /// RFC 8032 section 5.1.3: x^2 = (y^2 - 1) / (d·y^2 + 1) must have a root. The quotient has one exactly if the product
    /// has (the divisor is never 0), which the Kronecker symbol tells without a division.
    private static func hasPoint(_ y: [UInt8]) throws(KeyError) -> Bool {
        let answer = ed25519Symbol(y)
        guard answer != -2 else { throw .fromOpenSSL(.outOfMemory, "the Ed25519 point could not be checked") }
        return answer == 1
    }

    private static func ed25519Symbol(_ y: [UInt8]) -> Int32 {
        let prime = nearPrime(0xED)
        // RFC 8032 section 5.1: d = -121665 / 121666.
        let d: [UInt8] = [
            0xA3, 0x78, 0x59, 0x13, 0xCA, 0x4D, 0xEB, 0x75, 0xAB, 0xD8, 0x41, 0x41, 0x4D, 0x0A, 0x70, 0x00,
            0x98, 0xE8, 0x79, 0x77, 0x79, 0x40, 0xC7, 0x8C, 0x73, 0xFE, 0x6F, 0x2B, 0xEE, 0x6C, 0x03, 0x52,
        ]
        return unsafe withNumbers { context, take in
            guard let p = unsafe take(prime), let d = unsafe take(d), let square = unsafe take(y),
                let divisor = unsafe take([]), let one = unsafe BN_value_one(),
                unsafe BN_mod_sqr(square, square, p, context) == 1,
                unsafe BN_mod_mul(divisor, d, square, p, context) == 1,
                unsafe BN_mod_add(divisor, divisor, one, p, context) == 1,
                unsafe BN_mod_sub(square, square, one, p, context) == 1,
                unsafe BN_mod_mul(square, square, divisor, p, context) == 1
            else { return -2 }
            return unsafe BN_kronecker(square, p, context)
        }
    }

    /// Lends numbers that are freed together; `take` makes one of little-endian bytes.
    private static func withNumbers(_ body: (OpaquePointer, ([UInt8]) -> OpaquePointer?) -> Int32) -> Int32 {
        guard let context = unsafe BN_CTX_new() else { return -2 }
        unsafe BN_CTX_start(context)
        defer {
            unsafe BN_CTX_end(context)
            unsafe BN_CTX_free(context)
        }
        return unsafe body(context) { bytes in
            guard let number = unsafe BN_CTX_get(context) else { return nil }
            return unsafe BN_lebin2bn(bytes, Int32(bytes.count), number)
        }
    }
}
