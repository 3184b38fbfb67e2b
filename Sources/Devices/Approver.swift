package import CountersignVerifier
package import Signing

/// A device that is to say whether another one is let in.
package struct Approver: Sendable, Hashable {
    /// Its id.
    package let id: UUIDText
    /// The thumbprint of its key.
    package let thumbprint: String
    /// Where it is in its life.
    package let state: DeviceState
    /// When it was let in itself, milliseconds since 1970.
    package let activatedAt: Int64

    /// A device.
    package init(id: UUIDText, thumbprint: String, state: DeviceState, activatedAt: Int64) {
        self.id = id
        self.thumbprint = thumbprint
        self.state = state
        self.activatedAt = activatedAt
    }

    /// Makes sure that it may approve the device with a key: it is active, no longer on probation, and another one (attacks D1 and D2).
    ///
    /// - Throws: `tokenInvalid` where it is not active, `deviceNotAllowed` with the end of its probation, or without one where it is the
    ///   device itself.
    package func check(
        against thumbprint: String, by probation: Probation, at now: Int64
    ) throws(Refusal) {
        guard state == .active else { throw Refusal(.tokenInvalid) }
        guard !self.thumbprint.utf8.elementsEqual(thumbprint.utf8) else { throw Refusal(.deviceNotAllowed) }
        if let until = probation.end(activatedAt: activatedAt, at: now) {
            throw Refusal(.deviceNotAllowed, .probation(until: until))
        }
    }
}
