/// What one statement after another says in the same words: there are few issuers, users and reasons and many statements.
/// Where the text of these claims is the last one's, so is what it means, and it is neither read nor checked again.
struct KnownClaims {
    /// Claims that follow each other, always at this place of a statement, as they stood in the last one.
    struct Part<Value> {
        /// Their text, from the first name to the end of the last value, which is a string or an array: what comes behind
        /// could not make them mean something else.
        private(set) var text: [UInt8] = []
        /// What they say, once they were read.
        private(set) var value: Value?

        /// Takes the place of what was known.
        mutating func become(_ value: Value, in bytes: [UInt8], _ range: Range<Int>) {
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: bytes[range])
            self.value = value
        }
    }

    /// `iss` and `sub`.
    var origin = Part<(issuer: String, subject: UserName)>()
    /// `aud`.
    var audience = Part<String?>()
    /// `reason`, `auth_level`, `authenticator_type` and `acr`.
    var purpose = Part<(reason: String, level: AuthLevel, type: AuthenticatorType)>()
    /// `amr`.
    var methods = Part<[AuthenticationMethod]>()
    /// `device`.
    var device = Part<UUIDText?>()
}
