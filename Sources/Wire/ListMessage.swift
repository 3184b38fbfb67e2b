package import CountersignJOSE
package import Signing

/// A message of which there are lists.
package protocol ListedMessage: WireMessage {
    /// The name of the one member of a list.
    static var listName: StaticString { get }
    /// How many values one of them may have.
    static var valuesEach: Int { get }
    /// Whether they may be so long that a list ends before the page does.
    static var areLong: Bool { get }
}

extension ListedMessage {
    /// More than most have.
    package static var valuesEach: Int { 40 }

    /// Most are not.
    package static var areLong: Bool { false }
}

/// A list: an object of one member, so that others can join it.
package struct ListMessage<Element: ListedMessage>: WireMessage {
    /// The elements.
    package let elements: [Element]
    /// Where the list goes on: the `startIndex` of the first that it does not have; nil at its end, and where elements are not long.
    package let next: Int?

    /// The most elements of a list.
    package static var maxElements: Int { 1000 }

    /// A list.
    package init(_ elements: [Element], next: Int? = nil) {
        self.elements = elements
        self.next = next
    }

    /// The shape of the elements, in an array.
    package static var shape: Shape {
        let list = Kind.list(.message(Element.shape), max: maxElements, otherwise: .memberValue)
        let next = Shape.Member.optional(
            "next", .integer(2...Int64(Int32.max)), "the startIndex of what follows; absent where nothing does")
        return Shape("\(Element.shape.name)List", [.required(Element.listName, list)] + (Element.areLong ? [next] : []))
    }

    /// Enough for the longest list.
    package static var maxValues: Int { maxElements * Element.valuesEach }

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        elements = try members.messages(Element.listName)
        next = Element.areLong ? members.optionalInteger("next").map { Int($0) } : nil
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name(Element.listName)
        writer.beginArray()
        for element in elements { element.write(to: &writer) }
        writer.endArray()
        writer.member(name: "next", integer: next.map { Int64($0) })
        writer.endObject()
    }
}
