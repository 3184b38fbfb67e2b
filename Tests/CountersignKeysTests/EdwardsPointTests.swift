import CountersignKeys
import TestVectors
import Testing

@Suite("The group of Ed25519")
struct EdwardsPointTests {
    private static func random(_ count: Int, _ numbers: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    /// Encodings around 0, p and 2^255 with either sign, and by chance.
    private static let encodings: [[UInt8]] = {
        var numbers = SeededGenerator(seed: 4)
        var encodings = (0..<300).map { _ in random(32, &numbers) }
        for offset in 0...25 {
            let offset = BigNumber(integerLiteral: UInt64(offset))
            for y in [offset, BigNumber.prime + offset, BigNumber.prime - offset, 1 << 255 - 1 - offset]
            where y < 1 << 255 {
                encodings.append(y.bytes())
                encodings.append((y + 1 << 255).bytes())
            }
        }
        return encodings
    }()

    /// Points of every kind: of small order, of the base point's, of both, and opposites.
    private static let points: [EdwardsPoint] = {
        var numbers = SeededGenerator(seed: 5)
        var points = EdwardsPoint.smallOrder + [.base, EdwardsPoint.base.negated]
        points += EdwardsPoint.smallOrder.map { $0 + .base }
        while points.count < 36 {
            guard let point = EdwardsPoint(random(32, &numbers)) else { continue }
            points += [point, point.negated, point + point]
        }
        return points
    }()

    @Test("RFC 8032 section 5.1.3: what is a point, and which; with y above p and the sign of x = 0 as OpenSSL has it")
    func decoding() {
        var found = 0
        for bytes in Self.encodings {
            let point = EdwardsPoint(bytes)
            let reference = EdwardsReference(bytes)
            #expect((point == nil) == (reference == nil))
            guard let point, let reference else { continue }
            found += 1
            #expect(point.bytes == reference.bytes)
            #expect(point.negated.bytes == EdwardsReference(point.negated.bytes)?.bytes)
            #expect(BigNumber(point.t.words) % .prime == reference.x * reference.y % .prime)
        }
        #expect(found > 100 && found < Self.encodings.count - 100)
    }

    @Test("The sum of any two points is the definition's: equal, opposite, of small order, the identity")
    func addition() throws {
        #expect(Self.points.count == 36)
        let references = try Self.points.map { try #require(EdwardsReference($0.bytes)) }
        for (first, reference) in zip(Self.points, references) {
            for (second, other) in zip(Self.points, references) {
                let sum = first + second
                #expect(!sum.z.isZero)
                #expect(sum.bytes == (reference + other).bytes)
            }
        }
    }

    @Test("RFC 8032 section 5.1: B and L")
    func base() throws {
        #expect(EdwardsPoint.base.bytes == [0x58] + [UInt8](repeating: 0x66, count: 31))
        #expect((BigNumber.order * EdwardsPoint.base).bytes == EdwardsPoint.identity.bytes)
        #expect(Set(EdwardsPoint.smallOrder.map(\.bytes)).count == 8)
        let eighth = try #require(EdwardsPoint.smallOrder.dropFirst().first)
        #expect((8 * eighth).bytes == EdwardsPoint.identity.bytes)
    }

    @Test("Many points are brought to Z = 1 at once")
    func affine() {
        let sums = Self.points.map { $0 + .base }
        var points = sums
        EdwardsPoint.makeAffine(&points)
        for (point, sum) in zip(points, sums) {
            #expect(point.z == Ed25519Field(words: (1, 0, 0, 0)))
            #expect(point.x * sum.z == sum.x && point.y * sum.z == sum.y && point.t * sum.z == sum.t)
        }
        var none: [EdwardsPoint] = []
        EdwardsPoint.makeAffine(&none)
        #expect(none.isEmpty)
    }

    @Test("Multiples from a table are those of doubling and adding", arguments: [3, 8])
    func multiples(_ window: Int) throws {
        var numbers = SeededGenerator(seed: UInt64(window))
        let chance = (0..<6).map { _ in BigNumber(Self.random(64, &numbers)) % BigNumber.order }
        let edges = Ed25519ScalarTests.edges.enumerated().filter { $0.offset % 40 == window }.map(\.element)
        let values: [BigNumber] = [0, 1, 2, .order - 1, 1 << 252] + edges + chance
        let scalars = try values.map { try #require(Ed25519Scalar($0)) }
        let mixed = try #require(EdwardsPoint.smallOrder.last) + .base
        for point in [mixed, EdwardsPoint.smallOrder[1]] {
            let table = EdwardsMultiples(of: point, window: window)
            var sums = [EdwardsPoint](repeating: .base, count: scalars.count)
            table.add(scalars, to: &sums)
            for (value, sum) in zip(values, sums) {
                #expect(sum.bytes == (value * point + .base).bytes)
            }
        }
    }
}
