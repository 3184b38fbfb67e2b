import COpenSSL
import CountersignKeys

/// A natural number of OpenSSL's, of any size and slow: what our own arithmetic is compared with. None changes.
@safe
final class BigNumber: Comparable, ExpressibleByIntegerLiteral, @unchecked Sendable {
    private let number: OpaquePointer?

    /// p = 2^255 - 19.
    static var prime: BigNumber { 1 << 255 - 19 }

    /// L, the order of Ed25519's base point (RFC 8032 section 5.1).
    static var order: BigNumber {
        1 << 252
            + BigNumber([
                0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14,
            ])
    }

    /// Numbers of four words of which each but one is full or empty, and that one is one of `words`.
    static func full(orEmptyBut words: [UInt64]) -> [BigNumber] {
        var numbers: [BigNumber] = []
        for pattern in 0..<16 {
            let others = (0..<4).map { pattern >> $0 & 1 == 1 ? UInt64.max : 0 }
            for odd in words {
                for place in 0..<4 {
                    var four = others
                    four[place] = odd
                    numbers.append(BigNumber((four[0], four[1], four[2], four[3])))
                }
            }
        }
        return numbers
    }

    /// What `compute` makes of 0 and a context.
    private init(_ compute: (OpaquePointer?, OpaquePointer?) -> Int32) {
        unsafe number = BN_new()
        let context = unsafe BN_CTX_new()
        let isComputed = unsafe compute(number, context)
        precondition(isComputed == 1)
        unsafe BN_CTX_free(context)
    }

    convenience init(integerLiteral value: UInt64) {
        unsafe self.init { number, _ in unsafe BN_set_word(number, UInt(value)) }
    }

    /// Bytes from the lowest.
    convenience init(_ bytes: [UInt8]) {
        unsafe self.init { number, _ in unsafe BN_lebin2bn(bytes, Int32(bytes.count), number) == nil ? 0 : 1 }
    }

    /// Words from the lowest.
    convenience init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        self.init(
            [words.0, words.1, words.2, words.3].flatMap { word in
                stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: word >> $0) }
            })
    }

    deinit {
        unsafe BN_free(number)
    }

    /// Bytes from the lowest. The number must fit.
    func bytes(_ count: Int = 32) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            let isWritten = unsafe BN_bn2lebinpad(number, buffer.baseAddress, Int32(count)) == Int32(count)
            precondition(isWritten)
            written = count
        }
    }

    /// Words from the lowest. The number must fit.
    var words: (UInt64, UInt64, UInt64, UInt64) {
        let bytes = bytes()
        func word(_ start: Int) -> UInt64 { bytes[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        return (word(0), word(8), word(16), word(24))
    }

    var isOdd: Bool { unsafe BN_is_odd(number) == 1 }

    static func + (a: BigNumber, b: BigNumber) -> BigNumber {
        unsafe BigNumber { result, _ in unsafe BN_add(result, a.number, b.number) }
    }

    static func - (a: BigNumber, b: BigNumber) -> BigNumber {
        unsafe BigNumber { result, _ in unsafe BN_sub(result, a.number, b.number) }
    }

    static func * (a: BigNumber, b: BigNumber) -> BigNumber {
        unsafe BigNumber { result, context in unsafe BN_mul(result, a.number, b.number, context) }
    }

    static func << (a: BigNumber, count: Int32) -> BigNumber {
        unsafe BigNumber { result, _ in unsafe BN_lshift(result, a.number, count) }
    }

    /// Never negative, even where `a` is.
    static func % (a: BigNumber, modulus: BigNumber) -> BigNumber {
        unsafe BigNumber { result, context in unsafe BN_nnmod(result, a.number, modulus.number, context) }
    }

    /// To a power, modulo an odd number.
    func power(_ exponent: BigNumber, modulo modulus: BigNumber) -> BigNumber {
        unsafe BigNumber { result, context in
            unsafe BN_mod_exp(result, number, exponent.number, modulus.number, context)
        }
    }

    static func == (a: BigNumber, b: BigNumber) -> Bool { unsafe BN_cmp(a.number, b.number) == 0 }
    static func < (a: BigNumber, b: BigNumber) -> Bool { unsafe BN_cmp(a.number, b.number) < 0 }
}

extension Ed25519Scalar {
    init?(_ number: BigNumber) {
        let bytes = number.bytes()
        self.init(bytes.span)
    }
}
