package import CountersignVerifier
package import Signing

/// One thing that can be answered, and how strongly whoever answers it authenticates.
package struct NotificationAction: Sendable, Hashable {
    /// The value: 1 to 64 printable ASCII characters without spaces at the ends. One spelling, compared byte for byte (rule O26).
    package let name: String
    /// At 0 the answer stands by itself; above, it is signed.
    package let level: AuthLevel

    /// What the history says where nothing was chosen (rule H12): no action is called so.
    package static let none = "NONE"
    /// The action that approves (rule O17).
    package static let accept = "Accept"
    /// The action that declines.
    package static let reject = "Reject"

    /// Takes an action from outside.
    ///
    /// - Throws: `notificationMalformed` for another name; 214 for a level that is none.
    package init(name: String, level: Int) throws(Refusal) {
        guard Self.isName(name) else { throw .malformedNotification("action") }
        guard let level = AuthLevel(rawValue: level) else {
            throw Refusal(.methodNotSupported, .pair(level: level, type: 0))
        }
        self.name = name
        self.level = level
    }

    /// The type of authenticator that goes with the level (rules S06-S10).
    package var type: AuthenticatorType { level == .four ? .idvServerBiometric : .none }

    private static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        let space = UInt8(ascii: " ")
        return (1...64).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
            && bytes.first != space && bytes.last != space && text != none
    }
}
