internal import CountersignJOSE
internal import CountersignVerifier
package import Signing

/// What the value of a member may be: it decides what is read, and it is what the schema says.
package indirect enum Kind: Sendable {
    /// A string of at most so many code points. What else is wrong with it is for the rules to say, in their own words.
    case text(max: Int)
    /// A string that is a secret: it is read into memory that is wiped.
    case secret
    /// A UUID of version 4 in lower case.
    case uuid
    /// One of these words.
    case word([String])
    /// An integer of this range, in its one spelling.
    case integer(ClosedRange<Int64>)
    /// One of these integers.
    case number([Int64])
    /// `true` or `false`.
    case flag
    /// An array of at most so many; more are refused with this code.
    case list(Kind, max: Int, otherwise: Refusal.Code)
    /// Another message.
    case message(Shape)
    /// Any object.
    case object

    /// Milliseconds since 1970, up to the year 9999.
    package static let time = Kind.integer(0...253_402_300_799_999)
    /// Any integer that JSON has without loss (RFC 8259 section 6).
    package static let anyInteger = Kind.integer(-9_007_199_254_740_991...9_007_199_254_740_991)
    /// A count.
    package static let count = Kind.integer(0...9_007_199_254_740_991)
    /// A line of text: names, ids, tokens.
    package static let line = Kind.text(max: 1024)
    /// An array of strings.
    package static func lines(max: Int) -> Kind { .list(.line, max: max, otherwise: .memberValue) }

    /// Why a value does not do; nil where it does. What a message in it says is checked where it is read.
    func objection(to value: JSON) -> Refusal.Code? {
        let isRight =
            switch self {
            case .text(let max): value.string.map { $0.unicodeScalars.count <= max } ?? false
            case .secret: false
            case .uuid: value.string.map { UUIDText($0) != nil } ?? false
            case .word(let words): value.string.map { word in words.contains { $0.hasSameUTF8(as: word) } } ?? false
            case .integer(let range): value.integer.map(range.contains) ?? false
            case .number(let numbers): value.integer.map(numbers.contains) ?? false
            case .flag: if case .bool = value { true } else { false }
            case .message, .object: value.object != nil
            case .list: value.array != nil
            }
        guard isRight else { return .memberValue }
        guard case .list(let element, let max, let otherwise) = self, let values = value.array else { return nil }
        guard values.count <= max else { return otherwise }
        for value in values {
            if let code = element.objection(to: value) { return code }
        }
        return nil
    }

    /// The JSON Schema (2020-12, as OpenAPI 3.1 has it).
    var schema: JSONObject {
        var schema = JSONObject()
        switch self {
        case .text(let max):
            schema["type"] = .string("string")
            schema["maxLength"] = .number(JSONNumber(Int64(max)))
        case .secret:
            schema["type"] = .string("string")
            schema["format"] = .string("password")
            schema["writeOnly"] = .bool(true)
        case .uuid:
            schema["type"] = .string("string")
            schema["format"] = .string("uuid")
            schema["pattern"] = .string("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        case .word(let words):
            schema["type"] = .string("string")
            schema["enum"] = .array(words.map { .string($0) })
        case .integer(let range):
            schema["type"] = .string("integer")
            schema["minimum"] = .number(JSONNumber(range.lowerBound))
            schema["maximum"] = .number(JSONNumber(range.upperBound))
        case .number(let numbers):
            schema["type"] = .string("integer")
            schema["enum"] = .array(numbers.map { .number(JSONNumber($0)) })
        case .flag: schema["type"] = .string("boolean")
        case .list(let element, let max, _):
            schema["type"] = .string("array")
            schema["items"] = .object(element.schema)
            schema["maxItems"] = .number(JSONNumber(Int64(max)))
        case .message(let shape): schema["$ref"] = .string(shape.reference)
        case .object: schema["type"] = .string("object")
        }
        return schema
    }
}
