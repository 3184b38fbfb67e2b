internal import CountersignJOSE

/// JSON for people: a member a line, in its own order.
enum PrettyJSON {
    /// The text, with a newline at its end.
    static func text(of value: JSON) -> [UInt8] {
        var text: [UInt8] = []
        write(value, depth: 0, to: &text)
        text.append(0x0A)
        return text
    }

    private static func write(_ value: JSON, depth: Int, to text: inout [UInt8]) {
        switch value {
        case .object(let object) where !object.members.isEmpty:
            list("{", "}", object.members, depth: depth, to: &text) { member, text in
                text += JSON.string(member.name).canonical()
                text += Array(": ".utf8)
                write(member.value, depth: depth + 1, to: &text)
            }
        case .array(let values) where values.contains { $0.object != nil || $0.array != nil }:
            list("[", "]", values, depth: depth, to: &text) { write($0, depth: depth + 1, to: &$1) }
        default: text += value.canonical()
        }
    }

    private static func list<Element>(
        _ opening: String, _ closing: String, _ elements: [Element], depth: Int, to text: inout [UInt8],
        _ write: (Element, inout [UInt8]) -> Void
    ) {
        text += Array(opening.utf8)
        for (index, element) in elements.enumerated() {
            text += Array((index == 0 ? "\n" : ",\n").utf8)
            text += [UInt8](repeating: 0x20, count: 2 * (depth + 1))
            write(element, &text)
        }
        text += Array("\n".utf8) + [UInt8](repeating: 0x20, count: 2 * depth) + Array(closing.utf8)
    }
}
