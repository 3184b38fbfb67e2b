/// A password's Argon2id hash, kept as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`.
package struct PasswordHash: Sendable, Hashable {
    /// What it cost.
    package let parameters: PasswordParameters
    let salt: [UInt8]
    let tag: [UInt8]

    static let saltBytes = 16
    static let tagBytes = 32

    init(parameters: PasswordParameters, salt: [UInt8], tag: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.tag = tag
    }

    /// A hash that no password has, for a user who has none: checking it costs the same (attack S10).
    package static func nobody(_ parameters: PasswordParameters) -> PasswordHash {
        PasswordHash(
            parameters: parameters, salt: Array(repeating: 0, count: saltBytes),
            tag: Array(repeating: 0, count: tagBytes))
    }

    /// Reads a PHC string; nil for another algorithm or version, other lengths, costs outside their range, and every
    /// second spelling.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, let parameters = PasswordParameters(text: String(parts[3])),
            let salt = PHCBase64.decode(parts[4].utf8), salt.count == Self.saltBytes,
            let tag = PHCBase64.decode(parts[5].utf8), tag.count == Self.tagBytes
        else { return nil }
        self.init(parameters: parameters, salt: salt, tag: tag)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    /// The PHC string.
    package var text: String {
        "$argon2id$v=19$\(parameters.text)$\(PHCBase64.encode(salt))$\(PHCBase64.encode(tag))"
    }

    /// Whether a password should be hashed anew because the store asks for other costs now.
    package func needsUpgrade(to parameters: PasswordParameters) -> Bool { self.parameters != parameters }
}
