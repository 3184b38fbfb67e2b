/// A point of edwards25519, -x^2 + y^2 = 1 + d·x^2·y^2 (RFC 8032 section 5.1), as x = X/Z, y = Y/Z, x·y = T/Z: all tight.
///
/// The formulas are those for a = -1 of Hisil, Wong, Carter and Dawson, "Twisted Edwards Curves Revisited" (2008), section
/// 3.1. They are complete: -1 is a square modulo p and d is none, so d·x1·x2·y1·y2 is never 1 or -1 for points of the curve
/// (Bernstein and Lange, "Faster addition and doubling on elliptic curves", 2007, theorem 3.3). No case stands apart, be the
/// points equal, opposite, of small order or the identity; doubling is adding; and no Z is ever 0.
package struct EdwardsPoint: Sendable {
    /// X, Y, Z and T.
    package private(set) var x, y, z, t: Ed25519Field

    /// (0, 1), which changes nothing that it is added to.
    package static let identity = Self(x: .zero, y: .one, z: .one, t: .zero)

    /// The base point of RFC 8032: y is 4/5, x even.
    package static let base: Self = {
        let sixes: UInt64 = 0x6666_6666_6666_6666
        return Self(encoded: (0x6666_6666_6666_6658, sixes, sixes, sixes)) ?? .identity
    }()

    /// d = -121665 / 121666.
    private static let d = Ed25519Field(
        words: (0x75EB_4DCA_1359_78A3, 0x0070_0A4D_4141_D8AB, 0x8CC7_4079_7779_E898, 0x5203_6CEE_2B6F_FE73))
    private static let twiceD = (d + d).canonical
    private static let rootOfMinusOne = Ed25519Field(
        words: (0xC4EE_1B27_4A0E_A0B0, 0x2F43_1806_AD2F_E478, 0x2B4D_0099_3DFB_D7A7, 0x2B83_2480_4FC1_DF0B))

    @inline(__always)
    private init(x: Ed25519Field, y: Ed25519Field, z: Ed25519Field, t: Ed25519Field) {
        (self.x, self.y, self.z, self.t) = (x, y, z, t)
    }

    /// A point from its 32 bytes, as words from the lowest: exactly as OpenSSL reads a public key, which is less strict than
    /// RFC 8032. y may be p or more, and x = 0 may have the sign. nil where the curve has no x for the y.
    package init?(encoded words: Ed25519Field.Words) {
        let y = Ed25519Field(words: (words.0, words.1, words.2, words.3 & ~0 >> 1))
        let square = y * y
        let u = (square - .one).tightened
        let v = square * Self.d + .one
        // RFC 8032 section 5.1.3: u·v^3·(u·v^7)^((p-5)/8) is the root of u/v, or of -u/v, or there is none.
        let v3 = v * v * v
        var x = u * v3 * (u * v3 * v3 * v).rootPower
        let check = x * x * v
        if !(check == u) {
            guard check == u.negated else { return nil }
            x = x * Self.rootOfMinusOne
        }
        if x.isOdd != (words.3 >> 63 == 1) { x = x.negated }
        self.init(x: x, y: y, z: .one, t: x * y)
    }

    /// The 32 bytes of a point whose Z is 1 (RFC 8032 section 5.1.2), as words from the lowest.
    package var encoding: Ed25519Field.Words {
        var words = y.canonical.words
        words.3 |= x.isOdd ? 1 << 63 : 0
        return words
    }

    /// -(x, y) is (-x, y).
    package var negated: Self {
        Self(x: x.negated, y: y, z: z, t: t.negated)
    }

    /// The sum of any two points.
    package static func + (p: Self, q: Self) -> Self {
        sum((p.y - p.x) * (q.y - q.x), (p.y + p.x) * (q.y + q.x), p.t * twiceD * q.t, (p.z + p.z) * q.z)
    }

    /// Adds a point with Z = 1 that is given by y + x, y - x and 2·d·x·y.
    @inline(__always)
    mutating func add(plus: Ed25519Field, minus: Ed25519Field, twist: Ed25519Field) {
        self = Self.sum((y - x) * minus, (y + x) * plus, t * twist, z + z)
    }

    /// The end of every addition. a, b and c are tight.
    @inline(__always)
    private static func sum(_ a: Ed25519Field, _ b: Ed25519Field, _ c: Ed25519Field, _ d: Ed25519Field) -> Self {
        let e = b - a
        let f = d - c
        let g = d + c
        let h = b + a
        return Self(x: e * f, y: g * h, z: f * g, t: e * h)
    }

    /// Of a point whose Z is 1: what ``add(plus:minus:twist:)`` takes, canonical.
    var addend: (plus: Ed25519Field, minus: Ed25519Field, twist: Ed25519Field) {
        ((y + x).canonical, (y - x).canonical, (t * Self.twiceD).canonical)
    }

    /// Brings the points to Z = 1, with one inversion for all of them. A Z of 0, which there is none of, would stay 0.
    package static func makeAffine(_ points: inout [Self]) {
        let inverses = Ed25519Field.inverses(of: points.map(\.z))
        for index in points.indices {
            let point = points[index]
            let inverse = inverses[index]
            points[index] = Self(
                x: point.x * inverse, y: point.y * inverse, z: point.z * inverse, t: point.t * inverse)
        }
    }
}
