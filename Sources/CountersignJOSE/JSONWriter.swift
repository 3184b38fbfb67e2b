/// Writes JSON in the spelling of RFC 8785: no white space, its escapes and no others. The members come in the order in
/// which the caller writes them; ``JSON/canonical()`` sorts them.
package struct JSONWriter {
    /// What has been written.
    package var bytes: [UInt8] = []
    /// Whether the next name or element needs a comma before it.
    private var needsComma = false

    /// A writer; `capacity` is the room, in bytes, that is taken at once.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Forgets what was written, for the next text; the room is kept.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Whether what was written is exactly this.
    package func hasWritten(_ text: [UInt8]) -> Bool { ByteScan.areEqual(bytes, text.span) }

    // MARK: Members

    /// A member that is a string.
    package mutating func member(name: StaticString, string: String) {
        self.name(name)
        self.string(string)
    }

    /// A member that is an integer.
    package mutating func member(name: StaticString, integer: Int64) {
        self.name(name)
        self.integer(integer)
    }

    /// A member that is an array of strings.
    package mutating func member(name: StaticString, strings: [String]) {
        self.name(name)
        beginArray()
        for string in strings { self.string(string) }
        endArray()
    }

    /// The name of a member, whose value must follow. Plain ASCII that needs no escape.
    package mutating func name(_ name: StaticString) {
        let needsComma = needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { (output: inout OutputSpan<UInt8>) in
            if needsComma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            ByteScan.append(name, to: &output)
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
        }
        self.needsComma = false
    }

    /// The name of a member, whose value must follow. Any text.
    package mutating func name(text: String) {
        string(text)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    /// Begins an object.
    package mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// Ends the innermost object.
    package mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Begins an array.
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// Ends the innermost array.
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// A string.
    package mutating func string(_ string: String) { self.string(utf8: string.utf8.span) }

    /// A string of bytes that are UTF-8: whoever gives others writes what is no JSON.
    package mutating func string(utf8 content: Span<UInt8>) {
        let needsComma = needsComma
        // Most have nothing that is escaped: one copy.
        let plain = ByteScan.plainRun(in: content, from: 0).end
        let isPlain = plain == content.count
        bytes.append(addingCapacity: plain + 3) { (output: inout OutputSpan<UInt8>) in
            if needsComma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            ByteScan.append(content.extracting(0..<plain), to: &output)
            if isPlain { output.append(UInt8(ascii: "\"")) }
        }
        if !isPlain {
            appendEscaped(content, from: plain)
            bytes.append(UInt8(ascii: "\""))
        }
        self.needsComma = true
    }

    /// An integer, exactly. (RFC 8785 knows none beyond 2^53; a caller that wants to stay with it does not write them.)
    package mutating func integer(_ value: Int64) {
        separate()
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = digits.count
        var rest = value.magnitude
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if value < 0 {
            first -= 1
            digits[first] = UInt8(ascii: "-")
        }
        ByteScan.append(digits.span.extracting(first...), to: &bytes)
        needsComma = true
    }

    /// `true` or `false`.
    package mutating func bool(_ value: Bool) {
        separate()
        ByteScan.append(value ? "true" : "false", to: &bytes)
        needsComma = true
    }

    /// Any value, canonically: members in the order of their names' UTF-16 code units.
    ///
    /// - Parameter isSorted: false leaves the members in the order in which they are: for texts that people read.
    package mutating func value(_ value: JSON, isSorted: Bool = true) {
        switch value {
        case .null:
            separate()
            ByteScan.append("null", to: &bytes)
            needsComma = true
        case .bool(let value): bool(value)
        case .number(let number):
            separate()
            bytes.append(contentsOf: ECMANumber.text(of: number.double).utf8)
            needsComma = true
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element, isSorted: isSorted) }
            endArray()
        case .object(let object):
            beginObject()
            let members =
                isSorted ? object.members.sorted { $0.name.precedesInUTF16($1.name) } : object.members
            for member in members {
                name(text: member.name)
                self.value(member.value, isSorted: isSorted)
            }
            endObject()
        }
    }

    // MARK: Inner parts

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func begin(_ opening: UInt8) {
        separate()
        bytes.append(opening)
        needsComma = false
    }

    private mutating func end(_ closing: UInt8) {
        bytes.append(closing)
        needsComma = true
    }

    private mutating func appendEscaped(_ content: Span<UInt8>, from start: Int) {
        var index = start
        while index < content.count {
            let run = ByteScan.plainRun(in: content, from: index)
            ByteScan.append(content.extracting(index..<run.end), to: &bytes)
            guard run.end < content.count else { return }
            appendEscape(content[run.end])
            index = run.end + 1
        }
    }

    /// RFC 8785 section 3.2.2.2.
    private mutating func appendEscape(_ byte: UInt8) {
        let hexadecimal = Array("0123456789abcdef".utf8)
        switch byte {
        case 0x08: ByteScan.append("\\b", to: &bytes)
        case 0x09: ByteScan.append("\\t", to: &bytes)
        case 0x0A: ByteScan.append("\\n", to: &bytes)
        case 0x0C: ByteScan.append("\\f", to: &bytes)
        case 0x0D: ByteScan.append("\\r", to: &bytes)
        case UInt8(ascii: "\""): ByteScan.append("\\\"", to: &bytes)
        case UInt8(ascii: "\\"): ByteScan.append("\\\\", to: &bytes)
        default:
            ByteScan.append("\\u00", to: &bytes)
            bytes.append(hexadecimal[Int(byte >> 4)])
            bytes.append(hexadecimal[Int(byte & 15)])
        }
    }
}

extension JSON {
    /// The canonical text of RFC 8785. A number is written as the nearest double.
    public func canonical() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension String {
    /// Whether this text comes before another in the order of their UTF-16 code units (RFC 8785 section 3.2.3). That is
    /// the order of UTF-8 bytes, except that characters beyond U+FFFF (0xF0 and above) come before U+E000 to U+FFFF (0xEE
    /// and 0xEF), because their surrogates do.
    fileprivate func precedesInUTF16(_ other: String) -> Bool {
        func rank(_ byte: UInt8) -> UInt8 { byte < 0xEE ? byte : byte < 0xF0 ? byte + 8 : byte - 2 }
        return utf8.lexicographicallyPrecedes(other.utf8) { rank($0) < rank($1) }
    }
}
