/// What a column holds: the three types that every engine has, or nothing.
package enum SQLValue: Sendable, Hashable {
    /// SQL's NULL.
    case null
    /// BIGINT.
    case integer(Int64)
    /// TEXT, UTF-8, without NUL.
    case text(String)
    /// BYTEA.
    case bytes([UInt8])

    /// Text, or NULL.
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    /// A number, or NULL.
    package init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }

    /// Bytes, or NULL.
    package init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }

    /// A truth value, as 0 or 1.
    package init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
