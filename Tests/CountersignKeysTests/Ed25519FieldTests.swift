import CountersignKeys
import TestVectors
import Testing

/// The field of Ed25519 beside OpenSSL's numbers: where words carry, where numbers reach p and its multiples, and by chance.
@Suite("The field modulo 2^255 - 19")
struct Ed25519FieldTests {
    private static let prime = BigNumber.prime
    /// What tight numbers are below.
    private static let tight = 1 << 255 + BigNumber(integerLiteral: 1 << 11)

    /// Any numbers: around 0, p, 2^255, the bound of tight ones, 2p and 2^256, and those of words with all or no bits set.
    private static let edges: [BigNumber] = {
        var edges: [BigNumber] = []
        let middles: [BigNumber] = [40, prime, 1 << 255, tight, prime + prime, 1 << 256]
        for middle in middles {
            for offset in 0...40 {
                let offset = BigNumber(integerLiteral: UInt64(offset))
                edges.append(middle - offset)
                edges.append(middle + offset)
            }
        }
        let words: [UInt64] = [0, 1, 19, 38, .max, .max - 18, .max - 37, 1 << 63, 1 << 63 - 1]
        edges += BigNumber.full(orEmptyBut: words)
        return edges.filter { $0 < 1 << 256 }
    }()

    private static func field(_ number: BigNumber) -> Ed25519Field { Ed25519Field(words: number.words) }
    private static func number(_ field: Ed25519Field) -> BigNumber { BigNumber(field.words) }

    /// Any number, of words that are 0, full or random.
    private static func random(_ numbers: inout SeededGenerator) -> BigNumber {
        func word() -> UInt64 {
            switch UInt64.random(in: 0..<6, using: &numbers) {
            case 0: 0
            case 1: .max
            case 2: .max - UInt64.random(in: 0..<64, using: &numbers)
            default: UInt64.random(in: 0...UInt64.max, using: &numbers)
            }
        }
        return BigNumber((word(), word(), word(), word()))
    }

    /// Pairs of edges, thinned out, and pairs by chance.
    private static var pairs: [(BigNumber, BigNumber)] {
        var pairs: [(BigNumber, BigNumber)] = []
        for (index, first) in edges.enumerated() {
            for second in stride(from: index % 7, to: edges.count, by: 7) { pairs.append((first, edges[second])) }
        }
        var numbers = SeededGenerator(seed: 25_519)
        for _ in 0..<20_000 { pairs.append((random(&numbers), random(&numbers))) }
        return pairs
    }

    @Test("Products of any numbers are right and tight")
    func products() {
        for (first, second) in Self.pairs {
            let product = Self.number(Self.field(first) * Self.field(second))
            #expect(product < Self.tight)
            #expect(product % Self.prime == first * second % Self.prime)
        }
    }

    @Test("Sums and differences of any and tight numbers are right")
    func sums() {
        var compared = 0
        for (first, second) in Self.pairs where second < Self.tight {
            let sum = Self.number(Self.field(first) + Self.field(second))
            #expect(sum % Self.prime == (first + second) % Self.prime)
            let difference = Self.number(Self.field(first) - Self.field(second))
            #expect(difference % Self.prime == (first - second) % Self.prime)
            compared += 1
        }
        #expect(compared > 10_000)
    }

    @Test("What is tight, canonical, zero, odd or equal")
    func forms() {
        var numbers = SeededGenerator(seed: 1)
        for number in Self.edges + (0..<2_000).map({ _ in Self.random(&numbers) }) {
            let field = Self.field(number)
            let rest = number % Self.prime
            #expect(Self.number(field.tightened) < Self.tight)
            #expect(Self.number(field.tightened) % Self.prime == rest)
            #expect(Self.number(field.canonical) == rest)
            #expect(field.isZero == (rest == 0))
            #expect(field.isOdd == rest.isOdd)
            #expect(field == Self.field(rest))
            #expect(!(field == Self.field((rest + 1) % Self.prime)))
            let negative = Self.number(field.tightened.negated)
            #expect(negative < Self.tight && negative % Self.prime == (Self.prime - rest) % Self.prime)
            #expect(Self.field(rest).negated(where: 0).words == rest.words)
            let selected = Self.number(Self.field(rest).negated(where: .max))
            #expect(selected == Self.prime - rest)
        }
    }

    @Test("Powers, inverses, and the inverses of many, with zeros among them")
    func powers() {
        let edges = Self.edges.enumerated().filter { $0.offset % 5 == 0 || $0.element % Self.prime == 0 }.map(\.element)
        for number in edges {
            let inverse = Self.number(Self.field(number).inverse)
            #expect(inverse % Self.prime == number.power(Self.prime - 2, modulo: Self.prime))
            // (p - 5) / 8 = 2^252 - 3.
            let root = Self.number(Self.field(number).rootPower)
            #expect(root % Self.prime == number.power(1 << 252 - 3, modulo: Self.prime))
        }
        let lists: [[BigNumber]] = [[], [0], [0, 0], [1], [Self.prime, 2, 0], edges]
        for numbers in lists {
            let inverses = Ed25519Field.inverses(of: numbers.map { Self.field($0) })
            #expect(inverses.count == numbers.count)
            for (number, inverse) in zip(numbers, inverses) {
                let product = Self.number(inverse) * number % Self.prime
                #expect(Self.number(inverse) < Self.tight)
                #expect(number % Self.prime == 0 ? inverse.isZero : product == 1)
            }
        }
    }
}
