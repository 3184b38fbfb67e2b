internal import CountersignKeys
package import Signing

/// Two digits that whoever asks shows, and whoever approves must bring (attack D6): so nobody approves what they did not see begin.
package struct MatchCode: Sendable, Hashable {
    /// `00` to `99`.
    package let text: String

    /// Takes a text that is a code; nil for any other.
    package init?(_ text: String) {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.text = text
    }

    /// A new one, each as likely as the others.
    ///
    /// - Throws: `internalFault` where the random source has none to give.
    package static func random() throws(Refusal) -> MatchCode {
        while true {
            // The largest multiple of a hundred that a byte holds; what is above would favour some.
            guard let byte = try? SecureRandom.bytes(1).first else { throw Refusal(.internalFault) }
            guard byte < 200 else { continue }
            let digits = String(byte % 100)
            if let code = MatchCode(digits.utf8.count == 1 ? "0" + digits : digits) { return code }
        }
    }
}

/// The match code of one question, and how often a wrong one was brought.
package struct Match: Sendable, Hashable {
    /// What an approver does with it.
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        /// They must bring it, and are not shown it: else nothing is proved.
        case required
        /// They are shown it, to compare; bringing it is up to them. For clients that have no place for it.
        case offered
    }

    /// With so many wrong ones the question is over.
    package static let limit = 3

    /// The code.
    package let code: MatchCode
    /// What an approver does with it.
    package let mode: Mode
    /// How many wrong ones were brought.
    package private(set) var wrong: Int

    /// A match as a store kept it.
    package init(_ code: MatchCode, _ mode: Mode, wrong: Int = 0) {
        self.code = code
        self.mode = mode
        self.wrong = wrong
    }

    /// How many may still be wrong; with none the question is over.
    package var left: Int { max(0, Self.limit - wrong) }

    /// Looks at what an approver brought; a wrong code counts.
    ///
    /// - Returns: whether it does.
    /// - Throws: `matchCodeWrong` where one is needed and none was brought, which costs nothing.
    mutating func check(_ brought: String?) throws(Refusal) -> Bool {
        guard let brought else {
            if mode == .required { throw Refusal(.matchCodeWrong, .codesLeft(left)) }
            return true
        }
        if brought.utf8.elementsEqual(code.text.utf8) { return true }
        wrong += 1
        return false
    }
}
