import CountersignJOSE
package import CountersignKeys

/// A secret that stands for a session, a log-in or a client: a prefix of four characters, then 32 random bytes in
/// base64url. Only the digest of the text is ever stored, so a copy of the store opens nothing (docs/sessions.md).
package struct SessionToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// What a token is for. One kind is never taken for another: the prefix is part of what is hashed.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Shown at every call: RFC 6749 section 1.4.
        case access = "csa_"
        /// Exchanged for the next pair, once: RFC 6749 section 1.5.
        case refresh = "csr_"
        /// Logs an operator in, once.
        case operatorToken = "cso_"
        /// A relying service's password.
        case clientSecret = "csc_"
    }

    /// The number of characters of every token.
    package static let count = 47

    /// What it is for.
    package let kind: Kind
    /// The token itself, ASCII. A secret.
    package let text: String

    /// A new token, of 256 random bits.
    package static func generate(_ kind: Kind) throws(KeyError) -> SessionToken {
        var bytes = try SecureRandom.bytes(32)
        defer { wipe(&bytes) }
        return SessionToken(kind: kind, text: kind.rawValue + Base64URL.encode(bytes.span))
    }

    /// Takes a text that is a token of this kind, in its one spelling, and nil for any other.
    package init?(_ text: String, _ kind: Kind) {
        // An outside text of any length costs no more than a look at its size.
        guard text.utf8.count == Self.count, text.utf8.starts(with: kind.rawValue.utf8) else { return nil }
        var bytes: [UInt8] = []
        let random = text.utf8.span.extracting(droppingFirst: kind.rawValue.utf8.count)
        guard Base64URL.decode(random, into: &bytes) else { return nil }
        wipe(&bytes)
        self.init(kind: kind, text: text)
    }

    private init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// What is stored and looked up instead of the token: SHA-256 of the text, 32 bytes. A digest without salt is enough
    /// for 256 random bits, and lets an index find the row.
    package var hash: [UInt8] { SHA256.hash(text.utf8.span) }

    /// The kind alone: a token must not end in a log.
    package var description: String { "SessionToken(\(kind.rawValue)...)" }

    /// Shows nothing, so that `dump` and a debugger's printing do not either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
