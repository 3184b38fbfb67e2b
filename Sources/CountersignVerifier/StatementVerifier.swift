internal import CountersignJOSE
internal import CountersignKeys

/// Verifies statements, offline.
///
/// ```swift
/// let verifier = StatementVerifier(trust: try TrustStore(jwks))
/// switch verifier.verify(text, at: now) {
/// case .valid(let statement): print(statement.claims.payload)
/// case .invalid(let reason): print("invalid:", reason)
/// case .indeterminate(let reason): print("cannot tell:", reason)
/// }
/// ```
public struct StatementVerifier: Sendable {
    /// The keys.
    public let trust: TrustStore
    /// What is asked beyond the signature.
    public let policy: Policy

    /// A verifier with the strictest policy, unless another is given.
    public init(trust: TrustStore, policy: Policy = Policy()) {
        self.trust = trust
        self.policy = policy
    }

    /// Verifies a statement, or a JSON result that wraps one.
    ///
    /// - Parameters:
    ///   - text: the bytes, with at most one newline after a statement.
    ///   - now: the time in seconds since 1970.
    public func verify(_ text: [UInt8], at now: Int64) -> Verdict {
        VerificationSession(self).verify(text.span, at: now)
    }

    /// A session for verifying many statements, on one thread; it keeps OpenSSL's contexts and its buffers.
    public func makeSession() -> VerificationSession {
        VerificationSession(self)
    }
}

/// A run of verifications on one thread.
public final class VerificationSession {
    private let verifier: StatementVerifier
    var policy: Policy { verifier.policy }
    private var form = StatementForm()
    private var known: [String: KnownKey] = [:]

    private struct KnownKey {
        let key: TrustedKey
        let signatures: SignatureVerifier
    }

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

    private func verifyResult(_ text: Span<UInt8>, at now: Int64) -> Verdict {
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

    private func judge(
        _ statement: UnverifiedStatement, _ signingInput: Span<UInt8>, at now: Int64, isAlone: Bool = true
    ) -> Verdict {
        let known: KnownKey
        switch key(statement.keyID) {
        case .success(let found): known = found
        case .failure(.invalid(let reason)): return .invalid(reason)
        case .failure(.indeterminate(let reason)): return .indeterminate(reason)
        }
        guard statement.algorithm == known.key.key.algorithm else { return .invalid(.algorithmMismatch) }
        guard known.signatures.isValid(form.signature.span, for: signingInput) else { return .invalid(.signature) }
        if let expiry = verifier.trust.expiresAt, now >= expiry { return .indeterminate(.historyExpired) }
        switch known.key.objection(at: statement.claims.issuedAt) {
        case .invalid(let reason): return .invalid(reason)
        case .indeterminate(let reason): return .indeterminate(reason)
        case nil: break
        }
        let failure = verifier.policy.failure(
            of: statement.claims, algorithm: known.key.key.algorithm, at: now, isAlone: isAlone,
            issuer: verifier.trust.issuer)
        if let failure { return .invalid(failure) }
        return .valid(VerifiedStatement(statement))
    }

    private func key(_ keyID: String) -> Result<KnownKey, KeyObjection> {
        if let found = known[keyID] { return .success(found) }
        switch verifier.trust.entries[keyID] {
        case nil: return .failure(.indeterminate(.unknownKey))
        case .unusable: return .failure(.indeterminate(.unusableKey))
        case .root: return .failure(.invalid(.rootKey))
        case .trusted(let key):
            let found = KnownKey(key: key, signatures: key.key.makeVerifier())
            known[keyID] = found
            return .success(found)
        }
    }
}
