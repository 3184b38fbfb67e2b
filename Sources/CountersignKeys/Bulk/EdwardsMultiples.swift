/// Multiples of one point, of which any multiple is a sum: for each digit of a scalar a row, with the point's multiples by
/// the digit's weight times 0, 1, ... to the largest digit. Nothing changes them, so threads share them.
package final class EdwardsMultiples: Sendable {
    private let window: Int
    private let rowCount: Int
    /// Of a row.
    private let entryCount: Int
    /// Three for each entry, row by row: y + x, y - x and 2·d·x·y.
    private let numbers: [Ed25519Field]

    /// - Parameter window: bits of a digit, 2 to 15. With 8 the table takes 387 KiB and two of them fit into the cache of
    ///   a core, 1 MiB; with more there are fewer additions, which wait for memory.
    package init(of point: EdwardsPoint, window: Int = 8) {
        self.window = window
        rowCount = Ed25519Scalar.digitCount(window: window)
        entryCount = (1 << (window - 1)) + 1
        var weighted = point
        var firsts: [EdwardsPoint] = []
        for _ in 0..<rowCount {
            firsts.append(weighted)
            for _ in 0..<window { weighted = weighted + weighted }
        }
        EdwardsPoint.makeAffine(&firsts)
        var numbers: [Ed25519Field] = []
        numbers.reserveCapacity(3 * entryCount * rowCount)
        var multiples: [EdwardsPoint] = []
        for first in firsts {
            let addend = first.addend
            multiples.removeAll(keepingCapacity: true)
            var multiple = EdwardsPoint.identity
            for _ in 0..<entryCount {
                multiples.append(multiple)
                multiple.add(plus: addend.plus, minus: addend.minus, twist: addend.twist)
            }
            EdwardsPoint.makeAffine(&multiples)
            for multiple in multiples {
                let addend = multiple.addend
                numbers.append(addend.plus)
                numbers.append(addend.minus)
                numbers.append(addend.twist)
            }
        }
        self.numbers = numbers
    }

    /// Adds to each point the multiple by the scalar at its place.
    ///
    /// Row by row, for a row stays in the innermost cache while all points take from it. The opposite of a point has the
    /// opposite x: y + x and y - x change places, and 2·d·x·y its sign.
    package func add(_ scalars: [Ed25519Scalar], to points: inout [EdwardsPoint]) {
        let digits = Ed25519Scalar.digits(of: scalars, window: window)
        for row in 0..<rowCount {
            for index in points.indices {
                let digit = Int(digits[row &* points.count &+ index])
                let isNegative = digit & 1
                let entry = (row &* entryCount &+ digit &>> 1) &* 3
                points[index].add(
                    plus: numbers[entry &+ isNegative], minus: numbers[entry &+ 1 &- isNegative],
                    twist: numbers[entry &+ 2].negated(where: 0 &- UInt64(truncatingIfNeeded: isNegative)))
            }
        }
    }
}
