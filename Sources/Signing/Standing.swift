package import CountersignVerifier

/// Who asks for a signature: the session, and the device that it belongs to where there is one.
package struct Asker: Sendable, Hashable {
    /// The session. A process of the command line is a session of its own.
    package let session: UUIDText
    /// The device; absent on an embedded store.
    package let device: UUIDText?

    /// An asker.
    package init(session: UUIDText, device: UUIDText? = nil) {
        self.session = session
        self.device = device
    }
}

/// What is known of the asker when a ceremony starts.
package struct Standing: Sendable, Hashable {
    /// Who asks.
    package let asker: Asker
    /// What the user can answer with here. The same for a user who does not exist (attack S10).
    package let available: Set<EvidenceKind>
    /// The ledger's `attemptsLeft`, for the prompt.
    package let attemptsLeft: Int
    /// Until when a newly activated device may not sign, in milliseconds since 1970.
    package let probationUntil: Int64?

    /// A standing.
    package init(asker: Asker, available: Set<EvidenceKind>, attemptsLeft: Int, probationUntil: Int64? = nil) {
        self.asker = asker
        self.available = available
        self.attemptsLeft = attemptsLeft
        self.probationUntil = probationUntil
    }
}
