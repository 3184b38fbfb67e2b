extension StatementVerifier {
    /// Verifies a bundle as one (`docs/bundle.md`).
    ///
    /// - Parameters:
    ///   - text: the bytes, with at most one newline after them.
    ///   - now: the time in seconds since 1970.
    public func verifyBundle(_ text: [UInt8], at now: Int64) -> BundleVerdict {
        makeSession().verifyBundle(text.span, at: now)
    }
}

extension VerificationSession {
    /// Verifies a bundle as one: its form, each statement for itself, whether they belong together, whether they are enough.
    /// The first failure decides; what cannot be told comes last, since it would not help the others.
    public func verifyBundle(_ text: Span<UInt8>, at now: Int64) -> BundleVerdict {
        let bundle: UnverifiedBundle
        do { bundle = try UnverifiedBundle(text) } catch { return BundleVerdict(.invalid(error)) }
        var verdicts: [Verdict] = []
        var claims: [Claims] = []
        for statement in bundle.statements {
            let bytes = Array(statement.utf8)
            let (verdict, claimed) = verifyMember(bytes.span, at: now)
            verdicts.append(verdict)
            if let claimed { claims.append(claimed) }
        }
        return BundleVerdict(outcome(of: verdicts, claims), statements: verdicts)
    }

    /// - Parameter claims: what the statements claim; where all have the form, one for each.
    private func outcome(of verdicts: [Verdict], _ claims: [Claims]) -> BundleVerdict.Outcome {
        var valid: [VerifiedStatement] = []
        var doubt: (place: Int, reason: IndeterminateReason)?
        for (index, verdict) in verdicts.enumerated() {
            switch verdict {
            case .valid(let statement): valid.append(statement)
            case .invalid(let reason): return .invalid(.statement(index + 1, reason))
            case .indeterminate(let reason): doubt = doubt ?? (index + 1, reason)
            }
        }
        if let fault = BundleAgreement.fault(of: claims) { return .invalid(fault) }
        for (index, pair) in zip(claims, claims.dropFirst()).enumerated() where pair.1.subject < pair.0.subject {
            return .invalid(.order(index + 2))
        }
        guard let shared = claims.first else { return .invalid(.statements) }
        guard let needed = policy.quorum.needed(shared.reserved.quorum) else { return .invalid(.quorumMissing) }
        guard claims.count >= needed else { return .invalid(.quorumNotMet(found: claims.count, needed: needed)) }
        if let asked = shared.reserved.quorum?.asked, claims.count > asked {
            return .invalid(.quorumExceeded(found: claims.count, asked: asked))
        }
        if let doubt { return .indeterminate(doubt.place, doubt.reason) }
        return .valid(VerifiedBundle(statements: valid, shared: shared, needed: needed))
    }
}
