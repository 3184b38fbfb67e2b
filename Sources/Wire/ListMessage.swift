package import CountersignJOSE
package import Signing

/// A message of which there are lists.
package protocol ListedMessage: WireMessage {
    /// The name of the one member of a list.
    static var listName: StaticString { get }
    /// How many values one of them may have.
    static var valuesEach: Int { get }
}

extension ListedMessage {
    /// More than most have.
    package static var valuesEach: Int { 40 }
}

/// A list: an object of one member, so that others can join it.
package struct ListMessage<Element: ListedMessage>: WireMessage {
    /// The elements.
    package let elements: [Element]

    /// The most elements of a list.
    package static var maxElements: Int { 1000 }

    /// A list.
    package init(_ elements: [Element]) { self.elements = elements }

    /// The shape of the elements, in an array.
    package static var shape: Shape {
        let list = Kind.list(.message(Element.shape), max: maxElements, otherwise: .memberValue)
        return Shape("\(Element.shape.name)List", [.required(Element.listName, list)])
    }

    /// Enough for the longest list.
    package static var maxValues: Int { maxElements * Element.valuesEach }

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) { elements = try members.messages(Element.listName) }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name(Element.listName)
        writer.beginArray()
        for element in elements { element.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}
