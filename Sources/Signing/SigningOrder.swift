package import CountersignVerifier

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

    /// The claims of the statement. Everything comes from the run and its proof (attacks S7, S8); the rest is who
    /// issues it, under which id, and when.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970. Where the clock went back since the evidence was checked, that time is taken,
    ///     since `auth_time` is never after `iat`.
    ///   - index: Which payload of a batch, from 0; without a batch there is one.
    /// - Throws: The reason for which a verifier would refuse them: an issuer outside its grammar, a time before 1970.
    package func claims(
        issuer: String, id: UUIDText, at now: Int64, index: Int = 0
    ) throws(InvalidReason) -> Claims {
        let request = run.request
        var payload = request.payload
        var reserved = try request.occasion?.claims ?? ReservedClaims()
        if let batch = request.batch {
            guard batch.items.indices.contains(index) else { throw .claim(.batch) }
            payload = batch.items[index].payload
            try reserved.set(.batch, to: batch.claim(at: index))
        }
        return try Claims(
            issuer: issuer, subject: request.user, audience: request.audience,
            issuedAt: max(now, proof?.time ?? now).wholeSeconds, id: id, payload: payload.text,
            reason: request.reason.text, level: request.level, authenticatorType: request.type,
            methods: proof?.methods ?? [], authTime: proof?.time.wholeSeconds, device: run.asker.device,
            ceremony: run.id, reserved: reserved)
    }
}
