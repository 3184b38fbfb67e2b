package import CountersignKeys

/// What is wrong with a password.
package enum PasswordRefusal: Error, Sendable, Hashable, CaseIterable {
    /// It has no characters.
    case empty
    /// It has fewer than `PasswordRules.minimumCharacters` code points.
    case tooShort
    /// It has more than `PasswordRules.maxBytes` bytes.
    case tooLong
    /// It is not UTF-8.
    case notUTF8
    /// It has a control character: nobody can type it at a prompt.
    case control
    /// It starts or ends with white space: the codelabs' clients cut that off (S27, C25).
    case outerSpace
}

/// What a password may be. Only its bytes are looked at, in place: a `String` of it would stay in memory.
package enum PasswordRules {
    /// The longest password, in bytes: what is longer is not even hashed (attack S14).
    package static let maxBytes = 1024
    /// The shortest password that may be set, in code points.
    package static let minimumCharacters = 8

    /// Checks a password that is about to be set.
    package static func check(_ password: SecretBytes) throws(PasswordRefusal) {
        try checkAnswer(password)
        try password.withBytes { bytes throws(PasswordRefusal) in
            let text: UTF8Span
            do { text = try UTF8Span(validating: bytes) } catch { throw .notUTF8 }
            var scalars = text.makeUnicodeScalarIterator()
            var count = 0
            var last: Unicode.Scalar?
            while let scalar = scalars.next() {
                if scalar.properties.generalCategory == .control { throw .control }
                if count == 0, scalar.properties.isWhitespace { throw .outerSpace }
                count += 1
                last = scalar
            }
            if let last, last.properties.isWhitespace { throw .outerSpace }
            guard count >= minimumCharacters else { throw .tooShort }
        }
    }

    /// Checks a password that somebody answers with: only what is worth a hash. Its bytes count exactly (attack S14).
    package static func checkAnswer(_ password: SecretBytes) throws(PasswordRefusal) {
        guard password.count > 0 else { throw .empty }
        guard password.count <= maxBytes else { throw .tooLong }
    }
}
