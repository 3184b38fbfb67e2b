import Storage

/// A long list, read page by page in constant memory.
enum Paging {
    /// Gives each page to `body`, up to `limit` entries in all.
    static func forEach<Row>(
        limit: Int?, page: (Page) throws -> [Row], _ body: (Row) throws -> Void
    ) throws {
        var start = 1
        var left = limit ?? Int.max
        while left > 0, let next = Page(startIndex: start, count: min(left, Page.limit)) {
            let rows = try page(next)
            for row in rows { try body(row) }
            guard rows.count == next.count else { return }
            start += rows.count
            left -= rows.count
        }
    }
}
