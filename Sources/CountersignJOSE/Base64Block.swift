/// Sixteen digits of base64url and the twelve bytes that they stand for, all at once.
///
/// Written with vectors on both sides of each operator: those with a number on one side are loops, not instructions.
struct Base64Block {
    /// Digits in a block.
    static let digitCount = 16
    /// Bytes in a block.
    static let byteCount = 12

    typealias Bytes = SIMD16<UInt8>

    /// The values of the digits, 0 to 63.
    private let values: Bytes
    /// 0xFF in the places of digits, 0 in those of other bytes, whose value means nothing.
    let areDigits: Bytes

    /// Sixteen digits.
    @inline(__always)
    init(digits: Bytes) {
        let upper = Self.places(in: digits, from: "A", count: 26)
        let lower = Self.places(in: digits, from: "a", count: 26)
        let number = Self.places(in: digits, from: "0", count: 10)
        let minus = Self.places(in: digits, from: "-", count: 1)
        let underscore = Self.places(in: digits, from: "_", count: 1)
        areDigits = upper | lower | number | minus | underscore
        // The offset from the digit to its value, modulo 256.
        let letters = (upper & Self.all(0 &- 65)) | (lower & Self.all(26 &- 97))
        let others = (number & Self.all(52 - 48)) | (minus & Self.all(62 - 45)) | (underscore & Self.all(63 &- 95))
        values = digits &+ (letters | others)
    }

    /// Twelve bytes: six in the upper bits of each number, the first one uppermost.
    @inline(__always)
    init(bytes: SIMD2<UInt64>) {
        // 48 bits to two times 24, to four times 12, to eight times 6; the first is always the lower one.
        let halves = (bytes &>> Self.both(40)) | ((bytes &>> Self.both(16)) & Self.both(0xFF_FFFF)) &<< Self.both(32)
        let quarters =
            ((halves &>> Self.both(12)) & Self.both(0xFFF_0000_0FFF))
            | (halves & Self.both(0xFFF_0000_0FFF)) &<< Self.both(16)
        let eighths =
            ((quarters &>> Self.both(6)) & Self.both(0x3F_003F_003F_003F))
            | (quarters & Self.both(0x3F_003F_003F_003F)) &<< Self.both(8)
        // Any two numbers are sixteen bytes.
        values = unsafe unsafeBitCast(eighths, to: Bytes.self)
        areDigits = Self.all(0xFF)
    }

    /// The digits.
    @inline(__always)
    var digits: Bytes {
        let letters = Self.all(65) &+ (Self.places(in: values, from: 26, count: 26) & Self.all(97 - 26 - 65))
        let number = Self.places(in: values, from: 52, count: 10) & Self.all(48 &- 52 &- 65)
        let minus = Self.places(in: values, from: 62, count: 1) & Self.all(45 &- 62 &- 65)
        let underscore = Self.places(in: values, from: 63, count: 1) & Self.all(95 &- 63 &- 65)
        return values &+ letters &+ (number | minus | underscore)
    }

    /// The bytes: six in the upper bits of each number, the first one uppermost.
    @inline(__always)
    var bytes: SIMD2<UInt64> {
        // Any sixteen bytes are two numbers.
        let eighths = unsafe unsafeBitCast(values, to: SIMD2<UInt64>.self)
        let quarters =
            (eighths & Self.both(0x3F_003F_003F_003F)) &<< Self.both(6)
            | ((eighths &>> Self.both(8)) & Self.both(0x3F_003F_003F_003F))
        let halves =
            (quarters & Self.both(0xFFF_0000_0FFF)) &<< Self.both(12)
            | ((quarters &>> Self.both(16)) & Self.both(0xFFF_0000_0FFF))
        return (halves & Self.both(0xFF_FFFF)) &<< Self.both(40) | (halves &>> Self.both(32)) &<< Self.both(16)
    }

    /// Sixteen bytes, the first of them lowest.
    static func bytes(_ first: UInt64, _ second: UInt64) -> Bytes {
        // Any two numbers are sixteen bytes.
        unsafe unsafeBitCast(SIMD2(first, second), to: Bytes.self)
    }

    /// 0xFF where a byte is one of `count` from `first` on, 0 elsewhere.
    private static func places(in bytes: Bytes, from first: Unicode.Scalar, count: UInt8) -> Bytes {
        places(in: bytes, from: UInt8(truncatingIfNeeded: first.value), count: count)
    }

    private static func places(in bytes: Bytes, from first: UInt8, count: UInt8) -> Bytes {
        // A mask is bytes of 0xFF and 0.
        unsafe unsafeBitCast((bytes &- all(first)) .< all(count), to: Bytes.self)
    }

    private static func all(_ byte: UInt8) -> Bytes { Bytes(repeating: byte) }
    private static func both(_ number: UInt64) -> SIMD2<UInt64> { SIMD2(repeating: number) }
}
