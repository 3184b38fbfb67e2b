/// The target of a request, in its one spelling: what is authorised is what is routed (attack A7).
package struct RequestPath: Sendable {
    /// The path, with its leading slash, as it was written: what a proof names.
    package let written: Substring
    /// The path in the spelling in which it is routed.
    package let text: Substring
    /// What follows the question mark; nil where there is none.
    package let query: Substring?

    /// - Returns: nil for every path that has a second spelling or none: `//`, a dot segment, a percent sign, a trailing
    ///   slash, a character that does not belong into a URL. There is nothing at such a path. Only `@`, which user names
    ///   have, may also be written `%40`, as many clients do.
    package init?(_ target: String) {
        let bytes = target.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 4_096 else { return nil }
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        written = target[..<end]
        text = written.utf8.contains(UInt8(ascii: "%")) ? Substring(written.replacing("%40", with: "@")) : written
        query = end == bytes.endIndex ? nil : target[bytes.index(after: end)...]
        var segment = 0
        var dots = 0
        for byte in text.utf8.dropFirst() {
            switch byte {
            case UInt8(ascii: "/"):
                guard segment > 0, dots != segment || segment > 2 else { return nil }
                (segment, dots) = (0, 0)
                continue
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "@"):
                break
            default: return nil
            }
            segment += 1
        }
        guard segment > 0, dots != segment || segment > 2 else { return nil }
    }
}
