/// A JSON number in the spelling of its text. Every one fits a double, with or without loss.
public struct JSONNumber: Sendable {
    /// The number as it is spelt: RFC 8259 section 6.
    public let text: String

    /// The longest spelling that is read, in bytes: more digits than any double has in full.
    static let maxBytes = 1_100

    /// An integer.
    public init(_ value: Int64) { text = String(value) }

    /// A number; nil for infinities and NaN, which JSON has not.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = ECMANumber.text(of: value)
    }

    /// The spelling must be a number of RFC 8259; nil if no finite double is near it.
    init?(spelling: String) {
        guard spelling.utf8.count <= Self.maxBytes else { return nil }
        // Nearly all are short integers, for which no double need be made.
        guard Int64(spelling) != nil || Double(spelling)?.isFinite == true else { return nil }
        text = spelling
    }

    /// The integer, exact; nil for another spelling (`1.0`, `1e3`, `-0`) and beyond 64 bits.
    public var int64: Int64? {
        guard let value = Int64(text), value != 0 || text.utf8.count == 1 else { return nil }
        return value
    }

    /// The nearest double, always finite.
    public var double: Double { Double(text) ?? 0 }
}
