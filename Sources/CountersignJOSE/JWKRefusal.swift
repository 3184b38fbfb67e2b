public import CountersignKeys

/// Why one key of a set is not used.
public struct JWKRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The closed list of reasons.
    public enum Code: Sendable, Hashable {
        /// The entry is no JSON object.
        case notAnObject
        /// A member has another JSON type than RFC 7517 or RFC 7518 give it.
        case wrongMemberType
        /// A member without which this type of key is none.
        case missingMember
        /// A number that is not base64url in its one spelling, or begins with zero bytes (RFC 7518 section 2).
        case badNumber
        /// The private half is there: whoever can read the file can sign.
        case privateMember
        /// A symmetric key.
        case symmetric
        /// `revoked`: the key is not to be used. `exp` or `nbf`, which a plain key set cannot say (a key history can).
        case lifetimeMember
        /// `kty` is another than EC, OKP and RSA.
        case unknownKeyType
        /// `crv` is another than P-256, P-384 and Ed25519.
        case unknownCurve
        /// `use` is another than `sig`.
        case notForSignatures
        /// `key_ops` without `verify`, or with something twice.
        case notForVerifying
        /// An RSA key that does not say which of its algorithms it is for.
        case missingAlgorithm
        /// `alg` is none of the five, or one of another type of key.
        case wrongAlgorithm
        /// The key itself is weak, odd or no key at all.
        case key(KeyError.Code)
        /// `kid` is not the key's thumbprint.
        case wrongKeyID
    }

    /// The reason.
    public let code: Code
    /// The reason in full, for a person.
    public let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The reason in full, for a person.
    public var description: String { detail }
}
