package import Signing

/// What a notification says in one language.
package struct NotificationBody: Sendable, Hashable {
    /// The language: a tag of RFC 5646, such as `en` or `de-CH`.
    package let language: String
    /// The heading.
    package let subject: String
    /// The text.
    package let message: String
    /// What each action is called, by its name.
    package let labels: [String: String]

    /// Takes a body from outside.
    ///
    /// - Throws: `notificationMalformed`, with the name of the member.
    package init(language: String, subject: String, message: String, labels: [String: String]) throws(Refusal) {
        guard Self.isLanguage(language) else { throw .malformedNotification("lng") }
        try NotificationField.subject.check(subject)
        try NotificationField.message.check(message)
        for (action, label) in labels {
            // What Swift takes for equal may have other bytes: U+212A and `K`.
            guard action.utf8.allSatisfy({ $0 < 0x80 }) else { throw .malformedNotification("labels") }
            try NotificationField.label.check(label)
        }
        self.language = language
        self.subject = subject
        self.message = message
        self.labels = labels
    }

    /// Letters, then subtags of letters and digits, with hyphens: at most 35 bytes.
    private static func isLanguage(_ text: String) -> Bool {
        guard text.utf8.count <= 35 else { return false }
        for (index, tag) in text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).enumerated()
        {
            guard (index == 0 ? 2...8 : 1...8).contains(tag.count) else { return false }
            let isRight = tag.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                    || (index > 0 && (0x30...0x39).contains(byte))
            }
            guard isRight else { return false }
        }
        return true
    }
}

/// What a notification says and asks. One that breaks a rule cannot be built.
package struct NotificationContent: Sendable, Hashable {
    /// The same in 1 to 10 languages; the first is the one that counts where none is chosen (rule A22).
    package let bodies: [NotificationBody]
    /// What can be answered, 0 to 8 actions. Without any it is for reading only (rule A25).
    package let actions: [NotificationAction]

    /// Takes content from outside. Every body has a label for every action (rule A23) and no other label.
    ///
    /// - Throws: `notificationMalformed`, with the name of the member.
    package init(bodies: [NotificationBody], actions: [NotificationAction]) throws(Refusal) {
        guard (1...10).contains(bodies.count), Set(bodies.map { $0.language.lowercased() }).count == bodies.count else {
            throw .malformedNotification("body")
        }
        let names = Set(actions.map(\.name))
        guard actions.count <= 8, names.count == actions.count else { throw .malformedNotification("actions") }
        guard bodies.allSatisfy({ Set($0.labels.keys) == names }) else { throw .malformedNotification("labels") }
        self.bodies = bodies
        self.actions = actions
    }

    /// What is to be approved at this level, or rejected at none (rule O17).
    ///
    /// - Throws: `notificationMalformed`, with the name of the member; 214 for a level that is none.
    package init(approval subject: String, message: String, level: Int) throws(Refusal) {
        let (accept, reject) = (NotificationAction.accept, NotificationAction.reject)
        try self.init(
            bodies: [
                NotificationBody(
                    language: "en", subject: subject, message: message, labels: [accept: "Approve", reject: "Reject"])
            ],
            actions: [NotificationAction(name: accept, level: level), NotificationAction(name: reject, level: 0)])
    }

    /// The offered action of exactly this name, or nil.
    package func action(_ name: String) -> NotificationAction? {
        actions.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The body in this language, in its one spelling here; nil: the first.
    ///
    /// - Returns: nil for a language that it does not have.
    package func body(in language: String?) -> NotificationBody? {
        guard let language else { return bodies.first }
        return bodies.first { $0.language.utf8.elementsEqual(language.utf8) }
    }

    /// What a keyword is looked for in: subject and message of every language (rule O31).
    package var searched: String {
        bodies.map { "\($0.subject)\n\($0.message)" }.joined(separator: "\n")
    }

    /// How long it lives where whoever asks does not say, in milliseconds: five minutes to answer (rule O18), a week to read.
    package var standardLife: Int64 { actions.isEmpty ? 7 * 86_400_000 : 300_000 }

    /// How long any may live, in milliseconds: ten seconds to thirty days.
    package static let lives: ClosedRange<Int64> = 10_000...30 * 86_400_000
}
