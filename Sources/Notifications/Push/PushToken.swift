package import Signing

/// Where the pushes of one device go: what a push service gave its app (`docs/push.md`).
package struct PushToken: Sendable, Hashable {
    /// Who carries pushes.
    package enum Transport: String, Sendable, Hashable, CaseIterable {
        /// Apple's push notification service.
        case apns
    }

    /// Which of its services.
    package enum Environment: String, Sendable, Hashable, CaseIterable {
        /// For apps as they are sold.
        case production
        /// For apps that are being made.
        case development
    }

    /// The most bytes of a token.
    package static let maxBytes = 256

    /// Who carries them.
    package let transport: Transport
    /// Which of its services.
    package let environment: Environment
    /// Lower-case hexadecimal: it goes into an address.
    package let text: String

    /// A token.
    ///
    /// - Throws: `pushTokenMalformed` where it is not hexadecimal of 1 to 256 bytes.
    package init(transport: Transport, environment: Environment, text: String) throws(Refusal) {
        guard (2...Self.maxBytes * 2).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw Refusal(.pushTokenMalformed) }
        self.transport = transport
        self.environment = environment
        self.text = text
    }
}
