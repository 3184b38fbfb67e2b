/// Reads JSON of a known shape from front to back, without building a tree: the hot path of verification.
///
/// Strict RFC 8259: UTF-8 without byte order mark, no second spelling of anything that the grammar does not know. The
/// caller asks for what must come next, so the shape is the caller's code; a caller that takes members in any order must
/// itself refuse a name that comes twice (one that takes them in a fixed order has done so already). ``value()`` reads
/// any value as a tree and does refuse duplicates.
///
/// With `canonical`, white space and every escape but those of RFC 8785 section 3.2.2.2 are refused too.
package struct JSONReader {
    /// What is read.
    package let bytes: [UInt8]
    /// Where the next byte is read.
    package internal(set) var position: Int
    let isCanonical: Bool
    private var depth = 0
    /// Whether the innermost object or array has had no member yet. One bit is enough: where an inner one ends, the
    /// outer one has a member.
    private var isEmpty = true

    /// A reader of `bytes` from an offset on.
    package init(_ bytes: [UInt8], from start: Int = 0, canonical: Bool = false) {
        self.bytes = bytes
        self.position = start
        self.isCanonical = canonical
    }

    // MARK: Objects

    /// Enters an object.
    package mutating func beginObject() throws(JSONError) { try begin(UInt8(ascii: "{")) }

    /// The place of the next member's name, without its quotation marks; nil at the end of the object, which is left.
    ///
    /// - Throws: `unknownName` for a name with an escape or beyond ASCII: no name that is known here has them.
    package mutating func nextName() throws(JSONError) -> Range<Int>? {
        guard try hasMember() else { return nil }
        try expectName()
        let start = position
        let name = try rawString()
        guard !name.hasEscapes, name.isASCII else { throw JSONError(.unknownName, at: start) }
        try take(UInt8(ascii: ":"))
        return name.range
    }

    /// Takes the name of the next member if it is exactly `name`: for members in a fixed order.
    ///
    /// - Returns: whether it was; where it was not, or the object ends here, nothing is taken.
    package mutating func takeName(_ name: StaticString) throws(JSONError) -> Bool {
        let (start, outerDepth, wasEmpty) = (position, depth, isEmpty)
        if try hasMember(), try peek() == UInt8(ascii: "\"") {
            let end = position + 1 + name.utf8CodeUnitCount
            if end < bytes.count, bytes[end] == UInt8(ascii: "\""),
                ByteScan.hasPrefix(name, in: bytes.span, at: position + 1)
            {
                position = end + 1
                try take(UInt8(ascii: ":"))
                return true
            }
        }
        (position, depth, isEmpty) = (start, outerDepth, wasEmpty)
        return false
    }

    /// Takes members, or a part of one, that stand here byte for byte as they stood at this place of another text: they were
    /// read there, from the beginning of a token to the end of one that ends in itself, and so they mean the same.
    ///
    /// - Returns: whether they do; where they do not, or where `text` is empty, nothing is taken.
    package mutating func take(again text: [UInt8]) -> Bool {
        guard !text.isEmpty, ByteScan.has(text.span, in: bytes.span, at: position) else { return false }
        position += text.count
        isEmpty = false
        return true
    }

    /// Whether the next byte ends an object. What says no may yet be the white space before the end.
    package var isAtEndOfObject: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "}") }

    /// Takes the name of the next member, which must be `name`.
    package mutating func name(_ name: StaticString) throws(JSONError) {
        if try takeName(name) { return }
        let start = position
        // What is no name at all says so itself.
        _ = try nextName()
        throw JSONError(.missingMember, at: start)
    }

    /// Leaves an object that must have no further member.
    package mutating func endObject() throws(JSONError) {
        let start = position
        guard try nextName() == nil else { throw JSONError(.unexpectedMember, at: start) }
    }

    /// Whether the bytes of `range` are exactly `name`.
    package func text(_ range: Range<Int>, is name: StaticString) -> Bool {
        range.count == name.utf8CodeUnitCount && ByteScan.hasPrefix(name, in: bytes.span, at: range.lowerBound)
    }

    // MARK: Arrays

    /// Enters an array.
    package mutating func beginArray() throws(JSONError) { try begin(UInt8(ascii: "[")) }

    /// Whether another element follows; where none does, the array is left.
    package mutating func nextElement() throws(JSONError) -> Bool { try hasNext(before: UInt8(ascii: "]")) }

    /// An array of at most `max` strings.
    package mutating func stringArray(max: Int) throws(JSONError) -> [String] {
        var strings: [String] = []
        try beginArray()
        while try nextElement() {
            guard strings.count < max else { throw JSONError(.tooManyValues, at: position) }
            strings.append(try string())
        }
        return strings
    }

    // MARK: Scalars

    /// `true` or `false`.
    package mutating func bool() throws(JSONError) -> Bool {
        switch try peek() {
        case UInt8(ascii: "t"): try take("true")
        case UInt8(ascii: "f"): try take("false")
        default: throw wrongType()
        }
        return bytes[position - 2] == UInt8(ascii: "u")
    }

    /// `null`.
    package mutating func null() throws(JSONError) {
        guard try peek() == UInt8(ascii: "n") else { throw wrongType() }
        try take("null")
    }

    /// An integer in its one spelling: no fraction, no exponent, no `-0`.
    package mutating func integer() throws(JSONError) -> Int64 {
        let start = try beginNumber()
        let isNegative = bytes[start] == UInt8(ascii: "-")
        var value: Int64 = 0
        var isInRange = true
        while position < bytes.count, let digit = Self.digit(bytes[position]) {
            let (tenfold, isTooBig) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) =
                isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            if isTooBig || isBeyond { isInRange = false }
            value = sum
            position += 1
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") || bytes[position] | 0x20 == UInt8(ascii: "e") {
            throw JSONError(.notAnInteger, at: start)
        }
        guard isInRange else { throw JSONError(.numberOutOfRange, at: start) }
        if value == 0, isNegative { throw JSONError(.notAnInteger, at: start) }
        return value
    }

    // MARK: The end

    /// Nothing may follow but white space (and not even that in canonical JSON).
    package mutating func end() throws(JSONError) {
        if !isCanonical { skipSpace() }
        guard position == bytes.count else {
            throw JSONError(isSpace(bytes[position]) ? .whiteSpace : .trailingBytes, at: position)
        }
    }

    // MARK: Inner parts

    /// Whether another member follows, whose name is yet to be read; at the end of the object it is left.
    mutating func hasMember() throws(JSONError) -> Bool { try hasNext(before: UInt8(ascii: "}")) }

    /// A name must come next: no other value will do.
    mutating func expectName() throws(JSONError) {
        let byte = try peek()
        guard byte == UInt8(ascii: "\"") else { throw JSONError(unexpected(byte), at: position) }
    }

    /// Where the digits of the next number begin to count, with `position` at the first digit: RFC 8259 section 6
    /// allows no leading zero.
    mutating func beginNumber() throws(JSONError) -> Int {
        let first = try peek()
        let start = position
        if first == UInt8(ascii: "-") {
            position += 1
        } else if Self.digit(first) == nil {
            throw wrongType()
        }
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
        guard Self.digit(bytes[position]) != nil else { throw JSONError(.invalidNumber, at: start) }
        if bytes[position] == UInt8(ascii: "0"), position + 1 < bytes.count, Self.digit(bytes[position + 1]) != nil {
            throw JSONError(.invalidNumber, at: start)
        }
        return start
    }

    static func digit(_ byte: UInt8) -> Int64? { byte &- 48 < 10 ? Int64(byte &- 48) : nil }

    /// The first byte of the next token, which is not taken.
    mutating func peek() throws(JSONError) -> UInt8 {
        if !isCanonical { skipSpace() }
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
        return bytes[position]
    }

    /// The error for a value that is not of the type that is asked for, or for no value at all.
    func wrongType() -> JSONError {
        let byte = bytes[position]
        let beginsValue = "{[\"tfn-".utf8.contains(byte) || Self.digit(byte) != nil
        return JSONError(beginsValue ? .wrongType : unexpected(byte), at: position)
    }

    private func unexpected(_ byte: UInt8) -> JSONError.Code {
        if isSpace(byte) { return .whiteSpace }
        return bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) ? .byteOrderMark : .unexpectedByte
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    }

    mutating func take(_ byte: UInt8) throws(JSONError) {
        let found = try peek()
        guard found == byte else { throw JSONError(unexpected(found), at: position) }
        position += 1
    }

    mutating func take(_ literal: StaticString) throws(JSONError) {
        guard ByteScan.hasPrefix(literal, in: bytes.span, at: position) else {
            throw JSONError(.unexpectedByte, at: position)
        }
        position += literal.utf8CodeUnitCount
    }

    private mutating func begin(_ opening: UInt8) throws(JSONError) {
        guard try peek() == opening else { throw wrongType() }
        guard depth < JSON.maxDepth else { throw JSONError(.tooDeep, at: position) }
        depth += 1
        position += 1
        isEmpty = true
    }

    /// Takes the comma before the next member or element, or the end of the object or array.
    private mutating func hasNext(before closing: UInt8) throws(JSONError) -> Bool {
        let byte = try peek()
        if byte == closing {
            position += 1
            depth -= 1
            isEmpty = false
            return false
        }
        if isEmpty {
            isEmpty = false
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw JSONError(unexpected(byte), at: position) }
        position += 1
        // `[1,]` has a comma and no element: the value that must follow will not be there.
        return true
    }
}
