/// What is needed of the field once a signature, once a batch or once a key.
extension Ed25519Field {
    /// Canonical of any. A tight number is below 2p; it is p or more where 19 more reach bit 255, which is then dropped.
    package var canonical: Self {
        let number = tightened.words
        let (t0, c0) = number.0.addingReportingOverflow(19)
        let (t1, c1) = number.1.addingReportingOverflow(c0 ? 1 : 0)
        let (t2, c2) = number.2.addingReportingOverflow(c1 ? 1 : 0)
        let t3 = number.3 &+ (c2 ? 1 : 0)
        return Self(words: t3 >> 63 == 0 ? number : (t0, t1, t2, t3 & ~0 >> 1))
    }

    /// Of any: whether they are the same modulo p.
    package static func == (a: Self, b: Self) -> Bool {
        a.canonical.words == b.canonical.words
    }

    /// Of any.
    package var isZero: Bool { canonical.words == (0, 0, 0, 0) }

    /// Of any: whether the canonical number is odd, which is what an encoded point says of its x.
    package var isOdd: Bool { canonical.words.0 & 1 == 1 }

    /// Tight of tight.
    package var negated: Self { (.zero - self).tightened }

    /// Tight of any: self^(p - 2), which is 1 / self, and 0 of 0. (p - 2 = (2^250 - 1)·2^5 + 11.)
    package var inverse: Self {
        let (ones, power11) = longPower
        return ones.squared(5) * power11
    }

    /// Tight of any: the inverse of each, with one inversion for all of them (Montgomery's trick); 0 of 0.
    package static func inverses(of numbers: [Self]) -> [Self] {
        var inverses: [Self] = []
        inverses.reserveCapacity(numbers.count)
        var product = Self.one
        for number in numbers {
            // What those before are multiplied by each other. A 0 is left out, or all would become 0.
            inverses.append(product)
            if !number.isZero { product = product * number }
        }
        var rest = product.inverse
        for index in numbers.indices.reversed() {
            let number = numbers[index]
            inverses[index] = number.isZero ? .zero : rest * inverses[index]
            if !number.isZero { rest = rest * number }
        }
        return inverses
    }

    /// Tight of any: self^((p - 5) / 8), of which square roots are made. ((p - 5) / 8 = (2^250 - 1)·2^2 + 1.)
    package var rootPower: Self {
        longPower.ones.squared(2) * self
    }

    /// self^(2^250 - 1), and self^11 on the way to it.
    private var longPower: (ones: Self, power11: Self) {
        let power2 = squared(1)
        let power9 = power2.squared(2) * self
        let power11 = power9 * power2
        // By how many ones the exponent has.
        let ones5 = power11.squared(1) * power9
        let ones10 = ones5.squared(5) * ones5
        let ones20 = ones10.squared(10) * ones10
        let ones40 = ones20.squared(20) * ones20
        let ones50 = ones40.squared(10) * ones10
        let ones100 = ones50.squared(50) * ones50
        let ones200 = ones100.squared(100) * ones100
        return (ones200.squared(50) * ones50, power11)
    }

    /// self^(2^count), for a count above 0.
    private func squared(_ count: Int) -> Self {
        var result = self
        for _ in 0..<count { result = result * result }
        return result
    }
}
