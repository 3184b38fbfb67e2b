public import CountersignVerifier
package import Wire

/// A signing, as it stood when it was last asked for.
///
/// ```swift
/// var signing = try await account.startSigning(payload: payload, reason: reason)
/// while signing.state == .challenged {
///     do {
///         signing = try await signing.answer(with: askForPassword(signing.attemptsLeft))
///     } catch {
///         // A wrong password leaves the same challenge open, while attempts are left.
///         guard case .refused(let refusal) = error, refusal.attemptsLeft ?? 0 > 0 else { throw error }
///     }
/// }
/// ```
public struct SigningFlow: Sendable {
    /// Where a signing is.
    public enum State: String, Sendable, CaseIterable {
        /// The person has to answer.
        case challenged
        /// Signed: there is a ``SigningFlow/result``.
        case signed
        /// No attempt was left.
        case failed
        /// Declined or reset.
        case cancelled
        /// Not answered in time.
        case expired
    }

    /// The message it came in.
    package let message: SigningMessage
    private let account: Account

    init(_ message: SigningMessage, of account: Account) {
        self.message = message
        self.account = account
    }

    /// The id of the ceremony: what a signing can be asked for by.
    public var id: String { message.id.text }

    /// Where it is.
    public var state: State {
        switch message.state {
        case .challenged: .challenged
        case .signed: .signed
        case .failed: .failed
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }

    /// Who signs.
    public var user: String { message.user }
    /// What is signed; of a batch, the line that stands for it: how many payloads, and the digest of their list.
    public var payload: String { message.payload }
    /// Why it is signed.
    public var reason: String { message.reason }
    /// The level.
    public var level: Int { message.level }
    /// 12, step-up and sign, while it is challenged.
    public var challengeMode: Int? { message.challengeMode }
    /// What to answer with: `password`.
    public var method: String? { message.method }
    /// How many answers may still be wrong.
    public var attemptsLeft: Int? { message.attemptsLeft }
    /// When the challenge ends, milliseconds since 1970.
    public var expiresAt: Int64? { message.expiresAt }
    /// The result, where it is signed; nil for a batch.
    public var result: SignedResult? { message.result }
    /// What is signed at once, in its order, where it is several: show them to the person, or what ``payload`` says.
    public var batch: [BatchItem]? { message.batch?.items.map(BatchItem.init) }

    /// Answers the challenge.
    ///
    /// - Returns: the signing, signed.
    /// - Throws: `refused` with 102 where the password is wrong; `attemptsLeft` says whether the same challenge may be answered
    ///   again.
    public func answer(with password: Secret) async throws(ServiceError) -> SigningFlow {
        SigningFlow(try await account.answer(message, with: password), of: account)
    }

    /// The signing as it stands now.
    public func refreshed() async throws(ServiceError) -> SigningFlow { try await account.signing(id) }

    /// Ends it, in whatever state it is. A statement that was signed stays.
    public func reset() async throws(ServiceError) {
        try await account.connection.done(.delete("/v1/signings/\(id)"), as: account.authorizer)
    }
}
