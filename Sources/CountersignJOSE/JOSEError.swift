public import CountersignKeys

/// Why a key set or a signed text was refused as a whole.
public struct JOSEError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The closed list of what can be wrong.
    public enum Code: Sendable, Hashable {
        /// More bytes than the caller allows.
        case tooLong
        /// Not three parts with two dots between them, none empty: RFC 7515 section 7.1.
        case notThreeParts
        /// A part that is not base64url in its one spelling.
        case notBase64URL
        /// Not the JSON that it should be.
        case json(JSONError.Code)
        /// The header is no object, or one of its members has another type than it must have.
        case malformedHeader
        /// A header member that would move trust into the text itself or change how it is read.
        case refusedHeaderMember
        /// `typ` is missing or another: this text was made for another purpose (RFC 8725 section 3.11).
        case wrongType
        /// `alg` is missing or none of the five.
        case unsupportedAlgorithm
        /// Not an object with an array `keys`: RFC 7517 section 5.
        case notAKeySet
        /// More keys than a set may have.
        case tooManyKeys
        /// Two keys of a set have the same `kid`.
        case duplicateKeyID
        /// No key of the set can be used.
        case noUsableKey
        /// The signature could not be made.
        case signingFailed(KeyError.Code)
    }

    /// What is wrong.
    public let code: Code
    /// What exactly, for a person; it may quote what was read.
    public let detail: String
    /// Where in the bytes that were read (of a part: of the decoded part), if that is known.
    public let offset: Int?

    package init(_ code: Code, _ detail: String, at offset: Int? = nil) {
        self.code = code
        self.detail = detail
        self.offset = offset
    }

    /// An error of the JSON in `place`.
    init(_ error: JSONError, in place: String) {
        self.init(.json(error.code), "\(place): \(error.code.text)", at: error.offset)
    }

    /// The detail and the place, for a person.
    public var description: String { offset.map { "\(detail), at byte \($0)" } ?? detail }
}
