import CountersignVerifier
package import Signing

/// The name that a person gives a device.
package enum DeviceName {
    /// The shortest and the longest name, in extended grapheme clusters (rules D23 and D24).
    package static let characters = 3...50
    /// The longest name in bytes of UTF-8: one character may have any number of them.
    package static let maxBytes = 512

    /// The name without the white space around it: 3 to 50 characters, none of which changes the direction of text, breaks
    /// the line or cannot be seen as what it is. This is the one text that is trimmed: it is a label, nobody signs it.
    ///
    /// - Throws: `deviceNameEmpty`, `deviceNameTooShort`, `deviceNameTooLong`, `deviceNameCharacter`.
    package static func parse(_ text: String) throws(Refusal) -> String {
        // Four times the limit leaves room for white space, and bounds the work.
        guard text.utf8.count <= 4 * maxBytes else {
            throw Refusal(.deviceNameTooLong, .bytes(count: text.utf8.count, limit: maxBytes))
        }
        let name = trimmed(text)
        guard !SigningText.isBlank(name) else { throw Refusal(.deviceNameEmpty) }
        guard name.utf8.count <= maxBytes else {
            throw Refusal(.deviceNameTooLong, .bytes(count: name.utf8.count, limit: maxBytes))
        }
        if let (offset, scalar) = TextRules.firstRefused(in: name, newlineAndTabAllowed: false) {
            throw Refusal(.deviceNameCharacter, .character(scalar, offset: offset))
        }
        let count = name.count
        guard count >= characters.lowerBound else {
            throw Refusal(.deviceNameTooShort, .minimum(characters.lowerBound))
        }
        guard count <= characters.upperBound else {
            throw Refusal(.deviceNameTooLong, .characters(count: count, limit: characters.upperBound))
        }
        return name
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        let end = scalars.lastIndex { !$0.properties.isWhitespace }
        return end.map { String(String.UnicodeScalarView(scalars[...$0])) } ?? ""
    }
}
