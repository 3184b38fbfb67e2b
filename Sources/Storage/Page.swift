/// A part of a long list.
package struct Page: Sendable, Hashable {
    /// The most that one page holds.
    package static let limit = 1000
    /// The most bytes of long entries that one answer holds, more or less: see `Portion`.
    package static let bytes = 1 << 20

    /// The first entry wanted, from 1.
    package let startIndex: Int
    /// How many are wanted at most, 1 to `limit`.
    package let count: Int

    /// - Returns: nil where either is out of its range.
    package init?(startIndex: Int, count: Int) {
        guard startIndex >= 1, (1...Self.limit).contains(count) else { return nil }
        self.startIndex = startIndex
        self.count = count
    }

    private init(first count: Int) {
        self.startIndex = 1
        self.count = count
    }

    /// The first page, of 100.
    package static let first = Page(first: 100)
}
