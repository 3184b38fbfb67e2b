import COpenSSL
import CP256Table
import TestVectors
import Testing

/// Signatures made from the two scalars that their check multiplies by, which no hash gives: where digits carry and signs
/// change, and where the two multiples are the same or opposite. What is right is known from OpenSSL's multiplication.
@Suite("The tables of P-256 keys, by chosen numbers")
struct P256TableTests {
    private static let n = BigNumber(p256_n)

    /// Around 0, n/2 and n, and where the digits of eight bits are their largest, their smallest or 0.
    private static let scalars: [BigNumber] = {
        let half = (n - 1) * BigNumber(2).power(n - 2, modulo: n) % n
        let bytes: [UInt8] = [0x01, 0x7F, 0x80, 0x81, 0xFE]
        var scalars: [BigNumber] = [1, 2, 127, 128, 129, 255, 256, 1 << 248, 1 << 255, half, half + 1, n - 1, n - 2]
        scalars += bytes.map { BigNumber(Array(repeating: $0, count: 32)) % n }
        scalars.append(BigNumber([0x80] + Array(repeating: 0x7F, count: 31)))
        var numbers = SeededGenerator(seed: 3)
        for _ in 0..<4 { scalars.append(BigNumber((0..<32).map { _ in .random(in: 0...255, using: &numbers) }) % n) }
        return scalars
    }()

    /// The generator times a scalar, as 65 bytes; nil where that is infinity.
    private static func point(_ scalar: BigNumber) -> [UInt8]? {
        var encoded = [UInt8](repeating: 0, count: 65)
        let curve = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        let point = unsafe EC_POINT_new(curve)
        let factor = unsafe BN_lebin2bn(scalar.bytes(), 32, nil)
        let isDone = unsafe EC_POINT_mul(curve, point, factor, nil, nil, nil)
        let count = unsafe EC_POINT_point2oct(curve, point, POINT_CONVERSION_UNCOMPRESSED, &encoded, 65, nil)
        unsafe BN_free(factor)
        unsafe EC_POINT_free(point)
        unsafe EC_GROUP_free(curve)
        return isDone == 1 && count == 65 ? encoded : nil
    }

    private struct Entry {
        let bytes: [UInt8]
        let isRight: Bool
    }

    /// A signature that takes the check to u1 and u2, and the same with a hash that is not its own.
    private static func entries(_ u1: BigNumber, _ u2: BigNumber, of privateKey: BigNumber) -> [Entry] {
        let sum = point((u1 + u2 * privateKey) % n)
        let r = sum.map { BigNumber($0[1...32].reversed()) % n } ?? 5
        let s = r * u2.power(n - 2, modulo: n) % n
        func entry(_ e: BigNumber) -> [UInt8] { [e, r, s].flatMap { $0.bytes().reversed() } }
        let e = u1 * s % n
        return [Entry(bytes: entry(e), isRight: sum != nil), Entry(bytes: entry((e + 1) % n), isRight: false)]
    }

    @Test("V10: scalars at their edges; the same point twice, opposite points, nothing of the generator")
    func scalars() throws {
        let generator = try #require(Self.point(1))
        let base = unsafe countersign_p256_table_new(generator)
        let work = unsafe countersign_p256_work_new()
        let isThere = unsafe base != nil && work != nil
        try #require(isThere)
        for privateKey in [1, 2, 256, Self.n - 1, Self.n - 2, Self.scalars[Self.scalars.count - 1]] {
            let key = try #require(Self.point(privateKey))
            let table = unsafe countersign_p256_table_new(key)
            let tables = unsafe Array(repeating: table, count: 2 * Self.scalars.count)
            let hasTable = unsafe table != nil
            try #require(hasTable)
            for u1 in [0] + Self.scalars {
                let entries = Self.scalars.flatMap { Self.entries(u1, $0, of: privateKey) }
                var verdicts = [UInt8](repeating: 2, count: entries.count)
                unsafe countersign_p256_check(
                    work, base, tables, entries.flatMap(\.bytes), entries.count, &verdicts)
                #expect(verdicts == entries.map { $0.isRight ? 1 : 0 })
            }
            unsafe countersign_p256_table_free(table)
        }
        unsafe countersign_p256_work_free(work)
        unsafe countersign_p256_table_free(base)
    }

    @Test("What is no point of the curve has no table")
    func points() throws {
        let good = try #require(Self.point(7))
        let p = Array(BigNumber(p256_p).bytes().reversed())
        var others = [[4] + p + good[33...], [4] + good[1...32] + p]
        for place in [0, 1, 32, 33, 64] {
            var other = good
            other[place] ^= 1
            others.append(other)
        }
        for other in others {
            let table = unsafe countersign_p256_table_new(other)
            let hasNone = unsafe table == nil
            #expect(hasNone)
        }
    }
}
