extension JSONReader {
    /// Any value, as a tree of at most `maxValues` values. Member names that come twice are refused, by their UTF-8 bytes
    /// after unescaping.
    package mutating func value(maxValues: Int = JSON.maxValues) throws(JSONError) -> JSON {
        var left = maxValues
        return try value(&left)
    }

    /// Recursion is bounded by ``JSON/maxDepth``.
    private mutating func value(_ left: inout Int) throws(JSONError) -> JSON {
        let first = try peek()
        guard left > 0 else { throw JSONError(.tooManyValues, at: position) }
        left -= 1
        switch first {
        case UInt8(ascii: "{"): return .object(try object(&left))
        case UInt8(ascii: "["): return .array(try array(&left))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool())
        case UInt8(ascii: "n"):
            try null()
            return .null
        default: return .number(try number())
        }
    }

    private mutating func object(_ left: inout Int) throws(JSONError) -> JSONObject {
        var object = JSONObject()
        try beginObject()
        while let name = try nextAnyName() {
            if object.contains(name.text) { throw JSONError(.duplicateName, at: name.offset) }
            object.append(name.text, try value(&left))
        }
        return object
    }

    /// The name of the next member, any string; nil at the end of the object, which is left.
    mutating func nextAnyName() throws(JSONError) -> (text: String, offset: Int)? {
        guard try hasMember() else { return nil }
        try expectName()
        let start = position
        let text = try string()
        try take(UInt8(ascii: ":"))
        return (text, start)
    }

    private mutating func array(_ left: inout Int) throws(JSONError) -> [JSON] {
        var elements: [JSON] = []
        try beginArray()
        while try nextElement() { elements.append(try value(&left)) }
        return elements
    }

    /// A number in any spelling of RFC 8259 section 6.
    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = try beginNumber()
        skipDigits()
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits(from: start)
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits(from: start)
        }
        let spelling = ByteScan.string(ascii: bytes.span.extracting(start..<position))
        guard let number = JSONNumber(spelling: spelling) else { throw JSONError(.numberOutOfRange, at: start) }
        return number
    }

    /// At least one digit.
    private mutating func digits(from start: Int) throws(JSONError) {
        let first = position
        skipDigits()
        guard position > first else { throw JSONError(.invalidNumber, at: start) }
    }

    private mutating func skipDigits() {
        while position < bytes.count, Self.digit(bytes[position]) != nil { position += 1 }
    }
}
