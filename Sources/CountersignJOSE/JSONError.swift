/// Why a text is not the JSON that was asked for, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reasons. Each has its own text.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The text ends too early.
        case unexpectedEnd
        /// A byte that the grammar of RFC 8259 does not allow here.
        case unexpectedByte
        /// A byte order mark (U+FEFF) before the text or between its tokens.
        case byteOrderMark
        /// Something follows the value.
        case trailingBytes
        /// White space where the canonical form (RFC 8785) is required.
        case whiteSpace
        /// Not UTF-8: RFC 3629 (overlong, surrogates and beyond U+10FFFF included).
        case invalidUTF8
        /// A control character (U+0000 to U+001F) that is not escaped.
        case rawControl
        /// A backslash that begins no escape of RFC 8259.
        case invalidEscape
        /// An escaped surrogate without its other half.
        case loneSurrogate
        /// An escape that the canonical form (RFC 8785 section 3.2.2.2) spells otherwise.
        case uncanonicalEscape
        /// A member name with escapes or characters beyond ASCII where only plain names are known.
        case unknownName
        /// The same member name twice in one object, compared after unescaping.
        case duplicateName
        /// Objects and arrays nested deeper than ``JSON/maxDepth``.
        case tooDeep
        /// More bytes than the caller allows.
        case tooManyBytes
        /// More values than the caller allows.
        case tooManyValues
        /// Not a number of RFC 8259 (leading zero, no digits, `+`, ...).
        case invalidNumber
        /// A number that no double or, where an integer is asked for, no 64-bit integer holds.
        case numberOutOfRange
        /// A number that is not an integer in its plain spelling (`1.0`, `1e3`, `-0`).
        case notAnInteger
        /// A value of another type than the one that is asked for.
        case wrongType
        /// A member that is not known here.
        case unexpectedMember
        /// A member that must be here is missing.
        case missingMember
    }

    /// What is wrong.
    public let code: Code
    /// Where: bytes from the beginning of the bytes that were read.
    public let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// The reason and the place, for a person.
    public var description: String { "\(code.text), at byte \(offset)" }
}

extension JSONError.Code {
    /// The reason, for a person.
    public var text: String {
        switch self {
        case .unexpectedEnd: "the JSON text ends too early"
        case .unexpectedByte: "a byte that JSON does not allow here"
        case .byteOrderMark: "a byte order mark in the JSON text"
        case .trailingBytes: "something follows the JSON value"
        case .whiteSpace: "white space in JSON that must have none"
        case .invalidUTF8: "invalid UTF-8"
        case .rawControl: "a control character that is not escaped"
        case .invalidEscape: "an invalid escape"
        case .loneSurrogate: "half of a surrogate pair"
        case .uncanonicalEscape: "an escape that is not in its canonical spelling"
        case .unknownName: "a member name that cannot be known here"
        case .duplicateName: "the same member name twice"
        case .tooDeep: "nested too deeply"
        case .tooManyBytes: "more bytes than allowed"
        case .tooManyValues: "more values than allowed"
        case .invalidNumber: "an invalid number"
        case .numberOutOfRange: "a number out of range"
        case .notAnInteger: "a number that is not a plain integer"
        case .wrongType: "a value of another type than expected"
        case .unexpectedMember: "an unexpected member"
        case .missingMember: "a member is missing"
        }
    }
}
