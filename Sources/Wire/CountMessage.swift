package import CountersignJOSE
package import Signing

/// How many things a request ended: sessions, signings.
package struct CountMessage: WireMessage {
    /// How many.
    package let count: Int

    /// So many.
    package init(_ count: Int) { self.count = count }

    /// Its members.
    package static let shape = Shape("Count", [.required("count", .count, "how many were ended")])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) { count = try members.int("count") }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "count", integer: count)
        writer.endObject()
    }
}
