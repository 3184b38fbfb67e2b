import CountersignKeys
import TestVectors
import Testing

@Suite("Numbers modulo the order of Ed25519's base point")
struct Ed25519ScalarTests {
    private static let order = BigNumber.order

    private static func random(_ count: Int, _ numbers: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    /// Numbers below L at which digits have their edges: powers of two, runs of ones, digits of one bit or all but one, the
    /// last below 2^252, and those from 2^252 to L - 1.
    static let edges: [BigNumber] = {
        var edges: [BigNumber] = []
        for bit in Int32(0)..<253 {
            edges.append(1 << bit)
            edges.append(1 << bit - 1)
            edges.append(1 << 252 - 1 << bit)
        }
        let patterns: [UInt8] = [0x80, 0x7F, 0x81, 0x55, 0xAA, 0xFF, 0x88, 0x77]
        let tops: [UInt8] = [0, 1, 7, 8, 9, 15]
        for pattern in patterns {
            for top in tops {
                edges.append(BigNumber([UInt8](repeating: pattern, count: 31) + [top]))
            }
        }
        for offset in 0..<20 {
            let offset = BigNumber(integerLiteral: UInt64(offset))
            edges.append(order - 1 - offset)
            edges.append(1 << 252 + offset)
            edges.append(1 << 252 - offset)
        }
        return edges.filter { $0 < order }
    }()

    @Test("RFC 8032 section 5.1.7: S is below L, or it is none")
    func canonical() {
        var numbers = SeededGenerator(seed: 2)
        var all: [BigNumber] = Self.edges + [1 << 256 - 1, 1 << 253, .order + .order]
        for offset in 0...40 { all.append(.order + 20 - BigNumber(integerLiteral: UInt64(offset))) }
        for _ in 0..<2_000 {
            // The highest byte decides, so it is near the order's.
            let top = UInt8.random(in: 0x0F...0x11, using: &numbers)
            all.append(BigNumber(Self.random(31, &numbers) + [top]))
        }
        for number in all {
            let scalar = Ed25519Scalar(number)
            #expect((scalar != nil) == (number < Self.order))
            if let scalar { #expect(BigNumber(scalar.words) == number) }
        }
    }

    @Test("RFC 8032 section 5.1.7: 64 bytes modulo L, around its multiples too")
    func reduced() {
        var numbers = SeededGenerator(seed: 3)
        var all: [BigNumber] = [0, 1 << 512 - 1, 1 << 511, 1 << 256, 1 << 252, 1 << 253] + Self.edges
        for bit in Int32(0)..<512 { all.append(1 << bit) }
        for _ in 0..<3_000 {
            all.append(BigNumber(Self.random(64, &numbers)))
            let multiple = BigNumber(Self.random(Int.random(in: 0...32, using: &numbers), &numbers)) * Self.order
            all += [multiple, multiple + 1, multiple + Self.order - 1]
            // A partial remainder of 2^252 or more, which no hash is likely to meet.
            all.append(multiple + 1 << 252 + BigNumber(Self.random(15, &numbers)))
        }
        for number in all where number < 1 << 512 {
            let bytes = number.bytes(64)
            let scalar = Ed25519Scalar(reducing: bytes.span)
            #expect(BigNumber(scalar.words) == number % Self.order)
        }
    }

    @Test("The digits of every width make up the number, and none is too large", arguments: 2...15)
    func digits(_ window: Int) throws {
        var numbers = SeededGenerator(seed: UInt64(window))
        let values = Self.edges + (0..<500).map { _ in BigNumber(Self.random(64, &numbers)) % Self.order }
        let scalars = try values.map { try #require(Ed25519Scalar($0)) }
        let digits = Ed25519Scalar.digits(of: scalars, window: window)
        let count = Ed25519Scalar.digitCount(window: window)
        #expect(digits.count == scalars.count * count)
        #expect(digits.allSatisfy { Int($0 >> 1) <= 1 << (window - 1) })
        for (index, value) in values.enumerated() {
            var sums: (plus: BigNumber, minus: BigNumber) = (0, 0)
            for place in (0..<count).reversed() {
                let digit = digits[place * scalars.count + index]
                let amount = BigNumber(integerLiteral: UInt64(digit >> 1))
                sums = (sums.plus << Int32(window), sums.minus << Int32(window))
                if digit & 1 == 0 { sums.plus = sums.plus + amount } else { sums.minus = sums.minus + amount }
            }
            #expect(sums.plus == sums.minus + value)
        }
    }

    @Test("No scalars have no digits")
    func none() {
        #expect(Ed25519Scalar.digits(of: [], window: 8).isEmpty)
    }
}
