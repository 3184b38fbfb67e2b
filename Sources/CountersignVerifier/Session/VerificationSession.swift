internal import CountersignJOSE
internal import CountersignKeys

/// A run of verifications on one thread.
public final class VerificationSession {
    let verifier: StatementVerifier
    var form = StatementForm()
    /// Signatures that are checked together, and the statements that wait for it; both are empty between two calls.
    let batch = SignatureBatch()
    var waiting = WaitingSignatures()
    private var known: [String: SessionKey] = [:]
    /// The key that was used last: the next statement is most often of the same, and its name the same text in memory.
    private var last: SessionKey?

    var policy: Policy { verifier.policy }

    init(_ verifier: StatementVerifier) {
        self.verifier = verifier
    }

    /// Verifies a statement, or a JSON result that wraps one: format, key, signature, state of the key, policy, in
    /// this order; the first failure decides.
    public func verify(_ text: Span<UInt8>, at now: Int64) -> Verdict {
        if SignedResult.begins(text) { return verifyResult(text, at: now) }
        let statement: UnverifiedStatement
        do { statement = try form.read(text) } catch { return .invalid(error) }
        return judge(statement, text.extracting(form.signingInput), at: now)
    }

    /// Verifies one statement of a bundle: its verdict, and what it claims where it has the form. How many there are is
    /// not asked here.
    func verifyMember(_ text: Span<UInt8>, at now: Int64) -> (verdict: Verdict, claims: Claims?) {
        // A line feed belongs to a file, not to a string.
        if text.count > 0, text[text.count - 1] == UInt8(ascii: "\n") { return (.invalid(.notCompact), nil) }
        let statement: UnverifiedStatement
        do { statement = try form.read(text) } catch { return (.invalid(error), nil) }
        let verdict = judge(statement, text.extracting(form.signingInput), at: now, isAlone: false)
        return (verdict, statement.claims)
    }

    func verifyResult(_ text: Span<UInt8>, at now: Int64) -> Verdict {
        do {
            let result = try SignedResult(text)
            let bytes = Array(result.statement.utf8)
            let statement = try form.read(bytes.span)
            guard bytes.last != UInt8(ascii: "\n") else { return .invalid(.result) }
            guard result.agrees(with: statement.claims) else { return .invalid(.resultDiffers) }
            return judge(statement, bytes.span.extracting(form.signingInput), at: now)
        } catch {
            return .invalid(error)
        }
    }

    // MARK: One statement

    private func judge(
        _ statement: UnverifiedStatement, _ signingInput: Span<UInt8>, at now: Int64, isAlone: Bool = true
    ) -> Verdict {
        let key: SessionKey
        do { key = try self.key(of: statement) } catch { return error.verdict }
        guard key.signatures.isValid(form.signature.span, for: signingInput) else { return .invalid(.signature) }
        return judge(statement, signedBy: key, at: now, isAlone: isAlone)
    }

    /// What holds of a statement whose signature is right: the state of the key, then the policy.
    func judge(
        _ statement: UnverifiedStatement, signedBy key: SessionKey, at now: Int64, isAlone: Bool
    ) -> Verdict {
        if let expiry = verifier.trust.expiresAt, now >= expiry { return .indeterminate(.historyExpired) }
        if let objection = key.trusted.objection(at: statement.claims.issuedAt) { return objection.verdict }
        let failure = verifier.policy.failure(
            of: statement.claims, algorithm: key.trusted.key.algorithm, at: now, isAlone: isAlone,
            issuer: verifier.trust.issuer)
        if let failure { return .invalid(failure) }
        return .valid(VerifiedStatement(statement))
    }

    /// The key that a statement names, where it is one that may sign it.
    func key(of statement: UnverifiedStatement) throws(KeyObjection) -> SessionKey {
        let key = try key(statement.keyID)
        guard statement.algorithm == key.trusted.key.algorithm else { throw .invalid(.algorithmMismatch) }
        return key
    }

    private func key(_ keyID: String) throws(KeyObjection) -> SessionKey {
        if let last, last.id == keyID { return last }
        if let found = known[keyID] {
            last = found
            return found
        }
        switch verifier.trust.entries[keyID] {
        case nil: throw .indeterminate(.unknownKey)
        case .unusable: throw .indeterminate(.unusableKey)
        case .root: throw .invalid(.rootKey)
        case .trusted(let trusted):
            let found = SessionKey(trusted, id: keyID)
            known[keyID] = found
            last = found
            return found
        }
    }
}
