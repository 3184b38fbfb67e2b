package import CountersignVerifier

extension Ceremony {
    /// What can happen to a ceremony.
    package enum Event: Sendable, Hashable {
        /// Somebody asks for a signature. `id` is new. What the signature is to answer is over at `end`, and so is the challenge then
        /// at the latest.
        case start(SigningRequest, Standing, id: UUIDText, end: Int64 = .max)
        /// Evidence of this kind came for the challenge of this generation. It is not looked at yet.
        case answer(generation: Int, EvidenceKind, from: Asker)
        /// The evidence was checked, and the attempt settled.
        case verified(generation: Int, Check)
        /// The statement with this `jti` was signed and is being recorded.
        case issued(generation: Int, UUIDText)
        /// The person declined, or closed the prompt.
        case cancel(generation: Int)
        /// Whatever there is shall end.
        case reset
        /// Time went by.
        case expire
    }

    /// How checking the evidence ended.
    package enum Check: Sendable, Hashable {
        /// It was right.
        case right(Proof)
        /// It was wrong, and so many answers may still be wrong.
        case wrong(left: Int)
        /// Right or wrong, it does not count: the user is blocked or locked.
        case blocked
    }

    /// What the service has to do because of an event, in this order.
    package enum Effect: Sendable, Hashable {
        /// Show the challenge, the first or the next.
        case present(Challenge)
        /// Take an attempt for this challenge, then check the evidence.
        case takeAttempt(Challenge)
        /// Sign exactly this.
        case sign(SigningOrder)
        /// The statement with this `jti` is on record and may be given out.
        case release(UUIDText)
        /// Leave an audit row.
        case audit(AuditEntry)
    }
}

/// One audit row: who, what, how strongly, with what result. The digest of the payload is taken by whoever writes it.
package struct AuditEntry: Sendable, Hashable {
    /// How a run, or one answer of it, ended.
    package enum Outcome: Sendable, Hashable {
        /// A statement with this `jti`.
        case signed(UUIDText)
        /// A wrong answer, and so many are left.
        case wrongAnswer(left: Int)
        /// No attempt is left, or the user is blocked or locked.
        case exhausted
        /// The person declined.
        case cancelled
        /// Nobody answered in time.
        case expired
        /// Reset.
        case reset
    }

    /// The result.
    package let outcome: Outcome
    /// The run, with its request and asker.
    package let run: Run
    /// The kind of evidence that was asked for; nil at level 0.
    package let method: EvidenceKind?
    /// When, in milliseconds since 1970.
    package let time: Int64
}
