/// A number below L = 2^252 + c, the order of Ed25519's base point, where c is 27742317777372353535851937790883648493.
package struct Ed25519Scalar: Sendable {
    /// From the lowest.
    package private(set) var words: (UInt64, UInt64, UInt64, UInt64)

    /// 0.
    package static let zero = Self(words: (0, 0, 0, 0))

    /// c, which is below 2^125.
    private static let c: (UInt64, UInt64) = (0x5812_631A_5CF5_D3ED, 0x14DE_F9DE_A2F7_9CD6)
    /// 2^252, of the highest word.
    private static let top: UInt64 = 1 << 60

    private init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// The number of 32 bytes from the lowest; nil where it is not below L. So OpenSSL looks at the S of a signature.
    package init?(_ bytes: Span<UInt8>) {
        precondition(bytes.count == 32)
        words = (bytes.word(at: 0), bytes.word(at: 8), bytes.word(at: 16), bytes.word(at: 24))
        let (_, borrow0) = words.0.subtractingReportingOverflow(Self.c.0)
        let (_, borrow1) = words.1.subtracting(Self.c.1, borrow: borrow0)
        let (_, borrow2) = words.2.subtracting(0, borrow: borrow1)
        let (_, isBelow) = words.3.subtracting(Self.top, borrow: borrow2)
        guard isBelow else { return nil }
    }

    /// The number of 64 bytes from the lowest, modulo L.
    ///
    /// The upper 224 bits are below L as they are. Then 32 bits at a time come down: v = r·2^32 + piece, and as often as
    /// 2^252 goes into it, L is taken away: v = q·2^252 + rest, v - q·L = rest - q·c. With r below L, q is below 2^33 and
    /// q·c below 2^158; so the result is below 2^252 and above -2^158, and where it is negative, one L more is right.
    package init(reducing bytes: Span<UInt8>) {
        precondition(bytes.count == 64)
        let high = (bytes.word(at: 32), bytes.word(at: 40), bytes.word(at: 48), bytes.word(at: 56))
        self.init(
            words: (
                high.0 >> 32 | high.1 << 32, high.1 >> 32 | high.2 << 32, high.2 >> 32 | high.3 << 32, high.3 >> 32
            ))
        append(high.0 & 0xFFFF_FFFF)
        for offset in [24, 16, 8, 0] {
            let word = bytes.word(at: offset)
            append(word >> 32)
            append(word & 0xFFFF_FFFF)
        }
    }

    /// Adds its 32 bytes from the lowest.
    func append(to bytes: inout [UInt8]) {
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
    }

    /// self·2^32 + piece, modulo L.
    private mutating func append(_ piece: UInt64) {
        let quotient = words.3 >> 28
        let product0 = quotient.multipliedFullWidth(by: Self.c.0)
        let product1 = quotient.multipliedFullWidth(by: Self.c.1)
        let (middle, carry) = product1.low.addingReportingOverflow(product0.high)
        let (r0, borrow0) = (words.0 << 32 | piece).subtractingReportingOverflow(product0.low)
        let (r1, borrow1) = (words.1 << 32 | words.0 >> 32).subtracting(middle, borrow: borrow0)
        let (r2, borrow2) = (words.2 << 32 | words.1 >> 32)
            .subtracting(product1.high + (carry ? 1 : 0), borrow: borrow1)
        let (r3, isNegative) = ((words.3 << 32 | words.2 >> 32) & (Self.top - 1)).subtracting(0, borrow: borrow2)
        words = (r0, r1, r2, r3)
        guard isNegative else { return }
        let (s0, carry0) = r0.addingReportingOverflow(Self.c.0)
        let (s1, carry1) = r1.adding(Self.c.1, carry: carry0)
        let (s2, carry2) = r2.adding(0, carry: carry1)
        words = (s0, s1, s2, r3 &+ Self.top &+ (carry2 ? 1 : 0))
    }
}

extension UInt64 {
    fileprivate func adding(_ other: UInt64, carry: Bool) -> (UInt64, Bool) {
        let (sum, carry1) = addingReportingOverflow(other)
        let (result, carry2) = sum.addingReportingOverflow(carry ? 1 : 0)
        return (result, carry1 || carry2)
    }

    fileprivate func subtracting(_ other: UInt64, borrow: Bool) -> (UInt64, Bool) {
        let (difference, borrow1) = subtractingReportingOverflow(other)
        let (result, borrow2) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
        return (result, borrow1 || borrow2)
    }
}

extension Span<UInt8> {
    /// The number of eight bytes from the lowest.
    func word(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= count - 8)
        return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
