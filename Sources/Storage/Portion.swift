/// As much of a page as one answer may have, and whether more would follow.
package struct Portion<Element: Sendable>: Sendable, RandomAccessCollection {
    /// What there is.
    package let elements: [Element]
    /// Whether there is more behind it.
    package let isCut: Bool

    /// A portion.
    package init(_ elements: [Element], isCut: Bool = false) {
        self.elements = elements
        self.isCut = isCut
    }

    package var startIndex: Int { elements.startIndex }
    package var endIndex: Int { elements.endIndex }
    package subscript(index: Int) -> Element { elements[index] }

    /// The same of other elements.
    package func mapped<Other: Sendable>(_ change: (Element) throws -> Other) rethrows -> Portion<Other> {
        Portion<Other>(try elements.map(change), isCut: isCut)
    }
}

extension Conditions {
    /// The rows of a page by these conditions, as long as they are no more than `Page.bytes` together; one in any case. Those that do
    /// not fit are not read, but for the first.
    ///
    /// - Parameters:
    ///   - query: what comes before the conditions.
    ///   - order: what comes after them.
    ///   - size: the bytes that an element takes, more or less.
    mutating func portion<Element: Sendable>(
        _ query: String, _ order: String, page: Page, on connection: any SQLConnection,
        of make: (SQLRow) throws -> Element, size: (Element) -> Int
    ) throws -> Portion<Element> {
        let text = query + sql + order + self.page(page, ahead: 1)
        var (elements, bytes, isCut): ([Element], Int, Bool) = ([], 0, false)
        try connection.rows(text, values) { row in
            let element = try make(row)
            bytes += size(element)
            isCut = elements.count == page.count || !elements.isEmpty && bytes > Page.bytes
            if !isCut { elements.append(element) }
            return !isCut
        }
        return Portion(elements, isCut: isCut)
    }
}
