extension Ed25519Scalar {
    /// How many digits of `window` bits there are: those of 253 bits.
    package static func digitCount(window: Int) -> Int {
        (253 + window - 1) / window
    }

    /// The digits of base 2^window, all lowest ones first, each from -2^(window-1) + 1 to 2^(window-1): given as twice the
    /// amount, and 1 more if it is negative. The window is 2 to 15 bits.
    ///
    /// Nothing is carried out of the last digit. It has the bits from 252 down, t + 1 of them, t below the window. Where bit
    /// 252 is clear it is below 2^t, and at most 2^t with a carry. Where bit 252 is set it is 2^t, for below L the bits 125
    /// to 251 are then clear; so the digit before it is 0 or 1, and carries nothing.
    package static func digits(of scalars: [Ed25519Scalar], window: Int) -> [UInt16] {
        precondition((2...15).contains(window))
        let half = 1 << (window - 1)
        var digits = [UInt16](repeating: 0, count: scalars.count * digitCount(window: window))
        for index in scalars.indices {
            var (w0, w1, w2, w3) = scalars[index].words
            var carry = 0
            for place in stride(from: index, to: digits.count, by: scalars.count) {
                let value = (Int(truncatingIfNeeded: w0) & (2 &* half &- 1)) &+ carry
                carry = value > half ? 1 : 0
                digits[place] = UInt16(truncatingIfNeeded: carry == 0 ? 2 &* value : 2 &* (2 &* half &- value) &+ 1)
                w0 = w0 &>> window | w1 &<< (64 &- window)
                w1 = w1 &>> window | w2 &<< (64 &- window)
                w2 = w2 &>> window | w3 &<< (64 &- window)
                w3 = w3 &>> window
            }
        }
        return digits
    }
}
