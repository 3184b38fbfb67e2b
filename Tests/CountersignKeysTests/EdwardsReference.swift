import CountersignKeys

/// A point of edwards25519 by the definitions, x and y modulo p: slow, and independent of our arithmetic.
struct EdwardsReference: Equatable {
    let x: BigNumber
    let y: BigNumber

    static let identity = EdwardsReference(x: 0, y: 1)

    private static let prime = BigNumber.prime
    private static let d = (prime - 121_665) * inverse(121_666) % prime

    private static func inverse(_ number: BigNumber) -> BigNumber {
        number.power(prime - 2, modulo: prime)
    }

    private init(x: BigNumber, y: BigNumber) {
        (self.x, self.y) = (x, y)
    }

    /// RFC 8032 section 5.1.3, except that any y and any sign of x = 0 are taken.
    init?(_ bytes: [UInt8]) {
        var low = bytes
        low[31] &= 0x7F
        y = BigNumber(low) % Self.prime
        let square = y * y % Self.prime
        let ratio = (square - 1) * Self.inverse(Self.d * square + 1) % Self.prime
        // (p + 3) / 8 = 2^252 - 2 and (p - 1) / 4 = 2^253 - 5.
        var root = ratio.power(1 << 252 - 2, modulo: Self.prime)
        if root * root % Self.prime != ratio {
            root = root * BigNumber(integerLiteral: 2).power(1 << 253 - 5, modulo: Self.prime) % Self.prime
        }
        guard root * root % Self.prime == ratio else { return nil }
        x = root.isOdd == (bytes[31] >> 7 == 1) ? root : (Self.prime - root) % Self.prime
    }

    /// RFC 8032 section 5.1.2.
    var bytes: [UInt8] {
        var bytes = y.bytes()
        if x.isOdd { bytes[31] |= 0x80 }
        return bytes
    }

    static func + (p: Self, q: Self) -> Self {
        let cross = d * p.x * q.x * p.y * q.y % prime
        return Self(
            x: (p.x * q.y + p.y * q.x) * inverse(cross + 1) % prime,
            y: (p.y * q.y + p.x * q.x) * inverse(prime + 1 - cross) % prime)
    }
}

extension EdwardsPoint {
    /// The eight points of order 1, 2, 4 and 8: multiples of one of order 8.
    static let smallOrder: [EdwardsPoint] = {
        let bytes = [UInt8](hex: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a") ?? []
        guard let generator = EdwardsPoint(bytes) else { return [] }
        return (1..<8).reduce(into: [.identity]) { points, index in points.append(points[index - 1] + generator) }
    }()

    init?(_ bytes: [UInt8]) {
        self.init(encoded: BigNumber(bytes).words)
    }

    /// The 32 bytes of a point with any Z.
    var bytes: [UInt8] {
        var points = [self]
        EdwardsPoint.makeAffine(&points)
        return BigNumber(points[0].encoding).bytes()
    }

    /// A multiple by the plain way: doubling and adding, from the highest bit.
    static func * (number: BigNumber, point: Self) -> Self {
        var result = EdwardsPoint.identity
        for byte in number.bytes().reversed() {
            for bit in (0..<8).reversed() {
                result = result + result
                if byte >> bit & 1 == 1 { result = result + point }
            }
        }
        return result
    }
}
