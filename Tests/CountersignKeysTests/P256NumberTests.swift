import CP256Table
import TestVectors
import Testing

/// The numbers of P-256 beside OpenSSL's: where words carry, around both primes, and by chance.
@Suite("Numbers modulo the primes of P-256")
struct P256NumberTests {
    private static let p = BigNumber(p256_p)
    private static let n = BigNumber(p256_n)
    /// 1/2^256 modulo p, and modulo n: by Fermat.
    private static let fieldShift = (1 << 256).power(p - 2, modulo: p)
    private static let orderShift = (1 << 256).power(n - 2, modulo: n)

    /// Around 0, both primes, powers of two and what Montgomery's form makes of small numbers; and of words with all or no
    /// bits set.
    private static let edges: [BigNumber] = {
        var edges: [BigNumber] = []
        let middles: [BigNumber] = [
            20, p, n, p - n, 1 << 64, 1 << 96, 1 << 128, 1 << 192, 1 << 224, 1 << 255, (1 << 256) % p, (1 << 256) % n,
            fieldShift, orderShift,
        ]
        for middle in middles {
            for offset in 0...12 {
                edges.append((middle - BigNumber(integerLiteral: UInt64(offset))) % p)
                edges.append((middle + BigNumber(integerLiteral: UInt64(offset))) % p)
            }
        }
        let words: [UInt64] = [0, 1, .max, .max - 1, 1 << 63, 1 << 32, 1 << 32 - 1, .max << 32, .max << 32 + 1]
        edges += BigNumber.full(orEmptyBut: words)
        return edges
    }()

    /// Of words that are 0, full, nearly so or random.
    private static func random(_ numbers: inout SeededGenerator) -> BigNumber {
        func word() -> UInt64 {
            switch UInt64.random(in: 0..<6, using: &numbers) {
            case 0: 0
            case 1: .max
            case 2: .max - UInt64.random(in: 0..<64, using: &numbers)
            case 3: .max << UInt64.random(in: 1..<64, using: &numbers)
            default: UInt64.random(in: 0...UInt64.max, using: &numbers)
            }
        }
        return BigNumber((word(), word(), word(), word()))
    }

    /// Pairs of numbers below a modulus: edges, thinned out, and by chance.
    private static func pairs(below modulus: BigNumber) -> [(BigNumber, BigNumber)] {
        let edges = edges.filter { $0 < modulus }
        var pairs: [(BigNumber, BigNumber)] = []
        for (index, first) in edges.enumerated() {
            for second in stride(from: index % 7, to: edges.count, by: 7) { pairs.append((first, edges[second])) }
        }
        var numbers = SeededGenerator(seed: 256)
        for _ in 0..<20_000 { pairs.append((random(&numbers) % modulus, random(&numbers) % modulus)) }
        return pairs
    }

    @Test("V10: modulo p: products, sums, differences")
    func field() {
        for (a, b) in Self.pairs(below: Self.p) {
            let (x, y) = (p256_number(a), p256_number(b))
            #expect(BigNumber(p256_multiply(x, y)) == a * b * Self.fieldShift % Self.p)
            #expect(BigNumber(p256_add(x, y)) == (a + b) % Self.p)
            #expect(BigNumber(p256_subtract(x, y)) == (a - b) % Self.p)
        }
    }

    @Test("V10: modulo n: products")
    func order() {
        for (a, b) in Self.pairs(below: Self.n) {
            let product = p256_order_multiply(p256_number(a), p256_number(b))
            #expect(BigNumber(product) == a * b * Self.orderShift % Self.n)
        }
    }

    @Test("Which of two numbers is less, whether they are the same, and what is left above a modulus")
    func comparison() {
        for (a, b) in Self.pairs(below: 1 << 256) {
            let (x, y) = (p256_number(a), p256_number(b))
            #expect((p256_is_below(x, y) == 1) == (a < b))
            #expect((p256_is_equal(x, y) == 1) == (a == b))
            #expect(p256_is_equal(x, x) == 1)
            #expect(BigNumber(p256_reduced(x, 0, p256_n)) == a % Self.n)
            #expect((p256_is_zero(x) == 1) == (a == 0))
        }
    }
}

extension BigNumber {
    convenience init(_ number: p256_number) { self.init(number.words) }
}

extension p256_number {
    fileprivate init(_ number: BigNumber) { self.init(words: number.words) }
}
