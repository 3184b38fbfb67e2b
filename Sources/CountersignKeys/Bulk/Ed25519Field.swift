/// A number modulo p = 2^255 - 19, in four words from the lowest. For public numbers: nothing here is wiped.
///
/// Modulo p, 2^256 is 38 and 2^255 is 19. Words hold *any* number below 2^256; one below 2^255 + 2^11 is called *tight*,
/// and *canonical* one below p. Each operation says what it takes and gives. None of them branches: what a branch would
/// depend on is as good as random.
package struct Ed25519Field: Sendable {
    /// Four words, the lowest first.
    package typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// The number, of which other words may be the same modulo p.
    package let words: Words

    static let zero = Self(words: (0, 0, 0, 0))
    static let one = Self(words: (1, 0, 0, 0))

    /// The number of these words: any, and tight where bit 255 is clear.
    @inline(__always)
    package init(words: Words) {
        self.words = words
    }

    /// Any and tight give any: where a carry comes out, less than 2^255 + 2^11 is left, and 38 more carry nothing.
    @inline(__always)
    package static func + (a: Self, b: Self) -> Self {
        let s0 = wide(a.words.0) &+ wide(b.words.0)
        let s1 = wide(a.words.1) &+ wide(b.words.1) &+ high(s0)
        let s2 = wide(a.words.2) &+ wide(b.words.2) &+ high(s1)
        let s3 = wide(a.words.3) &+ wide(b.words.3) &+ high(s2)
        let t0 = low(s0) &+ wide((0 &- upper(s3)) & 38)
        let t1 = low(s1) &+ high(t0)
        let t2 = low(s2) &+ high(t1)
        return Self(words: (lower(t0), lower(t1), lower(t2), lower(s3) &+ upper(t2)))
    }

    /// Any and tight give any: where a borrow comes out, 2^255 - 2^11 or more is left, and 38 less borrow nothing.
    @inline(__always)
    package static func - (a: Self, b: Self) -> Self {
        let s0 = wide(a.words.0) &- wide(b.words.0)
        let s1 = wide(a.words.1) &- wide(b.words.1) &- s0 &>> 127
        let s2 = wide(a.words.2) &- wide(b.words.2) &- s1 &>> 127
        let s3 = wide(a.words.3) &- wide(b.words.3) &- s2 &>> 127
        let t0 = low(s0) &- wide(upper(s3) & 38)
        let t1 = low(s1) &- t0 &>> 127
        let t2 = low(s2) &- t1 &>> 127
        return Self(words: (lower(t0), lower(t1), lower(t2), lower(s3) &- (upper(t2) & 1)))
    }

    /// Any give tight. A product of words with two more words fits into two: (2^64 - 1)^2 + 2·(2^64 - 1) = 2^128 - 1.
    @inline(__always)
    package static func * (a: Self, b: Self) -> Self {
        let p00 = product(a.words.0, b.words.0)
        let p01 = product(a.words.0, b.words.1) &+ high(p00)
        let p02 = product(a.words.0, b.words.2) &+ high(p01)
        let p03 = product(a.words.0, b.words.3) &+ high(p02)
        let p10 = product(a.words.1, b.words.0) &+ low(p01)
        let p11 = product(a.words.1, b.words.1) &+ low(p02) &+ high(p10)
        let p12 = product(a.words.1, b.words.2) &+ low(p03) &+ high(p11)
        let p13 = product(a.words.1, b.words.3) &+ high(p03) &+ high(p12)
        let p20 = product(a.words.2, b.words.0) &+ low(p11)
        let p21 = product(a.words.2, b.words.1) &+ low(p12) &+ high(p20)
        let p22 = product(a.words.2, b.words.2) &+ low(p13) &+ high(p21)
        let p23 = product(a.words.2, b.words.3) &+ high(p13) &+ high(p22)
        let p30 = product(a.words.3, b.words.0) &+ low(p21)
        let p31 = product(a.words.3, b.words.1) &+ low(p22) &+ high(p30)
        let p32 = product(a.words.3, b.words.2) &+ low(p23) &+ high(p31)
        let p33 = product(a.words.3, b.words.3) &+ high(p23) &+ high(p32)
        // The eight words of the product are the low ones of p00, p10, p20, p30, p31, p32, p33 and the high one of p33.
        let q0 = product(lower(p31), 38) &+ low(p00)
        let q1 = product(lower(p32), 38) &+ low(p10) &+ high(q0)
        let q2 = product(lower(p33), 38) &+ low(p20) &+ high(q1)
        let q3 = product(upper(p33), 38) &+ low(p30) &+ high(q2)
        return tight((lower(q0), lower(q1), lower(q2), lower(q3)), and: upper(q3))
    }

    /// Tight of words and a fifth one up to 38, as the sum of a number below 2^256 and 38 times another has it: below
    /// 2^255, 38·38 and 19 for what was above.
    @inline(__always)
    private static func tight(_ words: Words, and top: UInt64) -> Self {
        let highest = UInt64(bitPattern: Int64(bitPattern: words.3) &>> 63)
        let t0 = wide(words.0) &+ wide(top &* 38 &+ (highest & 19))
        let t1 = wide(words.1) &+ high(t0)
        let t2 = wide(words.2) &+ high(t1)
        return Self(words: (lower(t0), lower(t1), lower(t2), (words.3 & ~0 &>> 1) &+ upper(t2)))
    }

    /// Tight of any.
    package var tightened: Self { Self.tight(words, and: 0) }

    /// Tight of canonical: p less it where `mask` is all ones, itself where that is 0. (-x is ~x + 1.)
    @inline(__always)
    package func negated(where mask: UInt64) -> Self {
        let t0 = Self.wide(words.0 ^ mask) &+ Self.wide(0xFFFF_FFFF_FFFF_FFEE & mask)
        let t1 = Self.wide(words.1 ^ mask) &+ Self.wide(mask) &+ Self.high(t0)
        let t2 = Self.wide(words.2 ^ mask) &+ Self.wide(mask) &+ Self.high(t1)
        let t3 = (words.3 ^ mask) &+ (mask &>> 1) &+ Self.upper(t2)
        return Self(words: (Self.lower(t0), Self.lower(t1), Self.lower(t2), t3))
    }

    // MARK: Two words as one number

    // By its halves: the generic conversions of `UInt128` take a debug build ten times as long.

    @inline(__always)
    private static func wide(_ word: UInt64) -> UInt128 { UInt128(_low: word, _high: 0) }
    @inline(__always)
    private static func product(_ a: UInt64, _ b: UInt64) -> UInt128 { wide(a) &* wide(b) }
    @inline(__always)
    private static func lower(_ number: UInt128) -> UInt64 { number._low }
    @inline(__always)
    private static func upper(_ number: UInt128) -> UInt64 { number._high }
    @inline(__always)
    private static func low(_ number: UInt128) -> UInt128 { wide(lower(number)) }
    @inline(__always)
    private static func high(_ number: UInt128) -> UInt128 { wide(number._high) }
}
