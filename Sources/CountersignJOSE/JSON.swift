/// A JSON value as a tree, for texts whose shape is not known beforehand (a key set, a header).
///
/// Strict: RFC 8259 in UTF-8, and besides no member name twice in an object (RFC 7515 section 4 and RFC 8725 leave a
/// choice that parsers make differently), no lone surrogate, no number beyond a double, bounded depth and size.
public enum JSON: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, as it was spelt.
    case number(JSONNumber)
    /// A string, unescaped.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object, with its members in the order of the text.
    case object(JSONObject)

    /// How deep objects and arrays may be nested: `[[]]` is 2.
    public static let maxDepth = 32

    /// How many values a text may have where the caller sets no other limit. It bounds the memory of a tree: about 80
    /// bytes a value beside the text itself, so that a megabyte of malice costs less than two more.
    public static let maxValues = 8_192

    /// Parses a text of at most `maxBytes` bytes and `maxValues` values.
    public init(parsing bytes: [UInt8], maxBytes: Int, maxValues: Int = JSON.maxValues) throws(JSONError) {
        guard bytes.count <= maxBytes else { throw JSONError(.tooManyBytes, at: maxBytes) }
        var reader = JSONReader(bytes)
        self = try reader.value(maxValues: maxValues)
        try reader.end()
    }

    /// Parses a text of at most `maxBytes` bytes and `maxValues` values.
    public init(parsing bytes: Span<UInt8>, maxBytes: Int, maxValues: Int = JSON.maxValues) throws(JSONError) {
        guard bytes.count <= maxBytes else { throw JSONError(.tooManyBytes, at: maxBytes) }
        var copy: [UInt8] = []
        ByteScan.append(bytes, to: &copy)
        try self.init(parsing: copy, maxBytes: maxBytes, maxValues: maxValues)
    }

    /// The number if it is an integer in its one spelling, nil otherwise.
    public var integer: Int64? { if case .number(let number) = self { number.int64 } else { nil } }

    /// The string, where this is one.
    public var string: String? { if case .string(let string) = self { string } else { nil } }

    /// The elements, where this is an array.
    public var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    /// The object, where this is one.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}
