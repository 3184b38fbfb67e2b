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

/// One run of a ceremony, from the request to a statement or its end. It holds what will be signed; nothing that comes later
/// can change it (attack S7).
package struct Run: Sendable, Hashable {
    /// The ceremony's id, the claim `ceremony`.
    package let id: UUIDText
    /// The generation that it belongs to; an answer names it.
    package let generation: Int
    /// What was asked.
    package let request: SigningRequest
    /// Who asked.
    package let asker: Asker
    /// When it started, in milliseconds since 1970.
    package let issuedAt: Int64
    /// When it ends, in milliseconds since 1970; at exactly this time it is over.
    package let expiresAt: Int64

    /// A run as a store kept it.
    package init(
        id: UUIDText, generation: Int, request: SigningRequest, asker: Asker, issuedAt: Int64, expiresAt: Int64
    ) {
        self.id = id
        self.generation = generation
        self.request = request
        self.asker = asker
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// What the service asks of the person.
package struct Challenge: Sendable, Hashable {
    /// `challengeMode`: step-up and sign, always (rule S12).
    package static let mode = 12
    /// How long a challenge lives, in milliseconds.
    package static let lifetime: Int64 = 120_000

    /// The run that it belongs to, with the request to be shown.
    package let run: Run
    /// What to answer with.
    package let method: EvidenceKind
    /// How many answers may still be wrong.
    package let attemptsLeft: Int
    /// 100 when it is asked first, 102 when it is asked again after a wrong answer (rules S30, S31).
    package let status: OperationStatus

    /// A challenge as a store kept it.
    package init(run: Run, method: EvidenceKind, attemptsLeft: Int, status: OperationStatus) {
        self.run = run
        self.method = method
        self.attemptsLeft = attemptsLeft
        self.status = status
    }
}

/// The command to sign: the request that the ceremony held all along and, above level 0, the proof that its person
/// authenticated for it.
package struct SigningOrder: Sendable, Hashable {
    /// The run that earned it.
    package let run: Run
    /// How the person authenticated; nil at level 0 and only there.
    package let proof: Proof?

    /// Only a ceremony orders.
    init(run: Run, proof: Proof?) {
        self.run = run
        self.proof = proof
    }
}
