internal import Signing

/// The query of a request: names that the route knows, each at most once.
struct QueryItems {
    private let items: [(name: String, value: String)]

    /// - Throws: `requestMalformed` for what is not `name=value` in percent-encoded UTF-8; `memberUnknown` for a name
    ///   that the route does not know; `memberValue` for one that comes twice.
    init(_ query: Substring?, allowed: [String]) throws(Refusal) {
        var items: [(name: String, value: String)] = []
        guard let query, !query.isEmpty else {
            self.items = []
            return
        }
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let name = Self.decoded(pair[0]), let value = Self.decoded(pair[1]) else {
                throw Refusal(.requestMalformed)
            }
            guard allowed.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                throw Refusal(.memberUnknown, .member(name))
            }
            guard !items.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw Refusal(.memberValue, .member(name))
            }
            items.append((name, value))
        }
        self.items = items
    }

    /// The value of an item; nil where it is not there.
    subscript(name: String) -> String? { items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

    /// The value of an item that is an integer in its one spelling.
    ///
    /// - Throws: `memberValue` for anything else.
    func integer(_ name: String) throws(Refusal) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), String(number).utf8.elementsEqual(text.utf8) else {
            throw Refusal(.memberValue, .member(name))
        }
        return number
    }

    /// Percent-decoded text (RFC 3986); `+` is a plus sign. Nil for what is none, or has a NUL: no value of ours has one, and no
    /// store keeps it.
    static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard byte > 0x20, byte < 0x7F else { return nil }
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit) else {
                return nil
            }
            let byte = high << 4 | low
            guard byte != 0 else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        default: nil
        }
    }
}
