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
