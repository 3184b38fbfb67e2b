import CountersignVerifier
import Signing

/// Which text of a notification it is: the fields differ in their limits, in newline and tab, and in the name that a refusal says.
enum NotificationField: String, Sendable, CaseIterable {
    /// The heading: 1 to 200 characters, one line.
    case subject
    /// The text: 1 to 2,000 characters, with newlines and tabs.
    case message
    /// What an action is called in one language: 1 to 64 characters, one line.
    case label

    /// The most extended grapheme clusters.
    var maxCharacters: Int {
        switch self {
        case .subject: 200
        case .message: 2000
        case .label: 64
        }
    }

    /// The most bytes of UTF-8: one character may have any number of them.
    var maxBytes: Int { 4 * maxCharacters }

    /// Takes a text that a person can read and be bound by: the same characters as a payload or a reason may have.
    ///
    /// - Throws: `notificationMalformed`, with the name of the field.
    func check(_ text: String) throws(Refusal) {
        guard !text.isEmpty, text.utf8.count <= maxBytes,
            TextRules.firstRefused(in: text, newlineAndTabAllowed: self == .message) == nil,
            text.count <= maxCharacters, !SigningText.isBlank(text)
        else { throw .malformedNotification(rawValue) }
    }
}

extension Refusal {
    /// What a notification cannot be, by the member that is wrong.
    static func malformedNotification(_ member: String) -> Refusal {
        Refusal(.notificationMalformed, .member(member))
    }
}
