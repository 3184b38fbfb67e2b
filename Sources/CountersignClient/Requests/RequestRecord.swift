internal import CountersignJOSE
public import CountersignVerifier
package import Wire

/// A signing request as whoever asked sees it. Times are milliseconds since 1970.
public struct RequestRecord: Sendable {
    /// The message it came in.
    package let message: RequestMessage

    /// One that came.
    package init(_ message: RequestMessage) { self.message = message }

    /// Its id.
    public var id: String { message.id }
    /// `pending`, `done`, `declined`, `expired` or `cancelled`.
    public var status: String { message.status.rawValue }
    /// What is to be signed.
    public var payload: String { message.payload }
    /// Why.
    public var reason: String { message.reason }
    /// The level.
    public var level: Int { message.level }
    /// The type of authenticator.
    public var authenticatorType: Int { message.authenticatorType }
    /// The group that was asked.
    public var group: String? { message.group }
    /// On whose behalf was asked.
    public var requester: String? { message.requester }
    /// `N/M`: how many must sign of how many that were asked, `1/1` for a list of one; nil where one person was asked by name.
    public var quorum: String? { message.quorum }
    /// Who was asked.
    public var users: [String] { message.users }
    /// How many signed.
    public var signed: Int { message.signed }
    /// How many declined.
    public var declined: Int { message.declined }
    /// When it was made.
    public var createdAt: Int64 { message.createdAt }
    /// When it ends.
    public var expiresAt: Int64 { message.expiresAt }
    /// When it ended.
    public var changedAt: Int64? { message.changedAt }
    /// The result of one person; only in the answer to the question for its outcome.
    public var result: SignedResult? { message.result }
    /// The text of the bundle of several persons; only in the answer to the question for its outcome.
    public var bundle: String? { message.bundle }
}

/// Where a signing request is.
public enum RequestOutcome: Sendable {
    /// Not enough have answered.
    case pending
    /// As many signed as were needed: there is a ``RequestRecord/result`` or a ``RequestRecord/bundle``.
    case done(RequestRecord)
    /// Too many declined, or it was cancelled: nothing is signed for it any more.
    case declined
    /// Too few signed in time.
    case expired
}

extension RequestMessage {
    /// Whether it is the request that was asked for, and what was signed is what it asks, by what the statements say themselves. Whose
    /// signatures they are, the trusted keys tell.
    func check(_ id: String) throws(ServiceError) {
        guard self.id.hasSameUTF8(as: id), status == .done else {
            throw .protocolViolation("the service answered for another request")
        }
        switch (result, bundle) {
        case (let result?, nil): try check([result.statement])
        case (nil, let text?):
            let bundle: UnverifiedBundle
            do throws(BundleFault) { bundle = try UnverifiedBundle(Array(text.utf8).span) } catch {
                throw .protocolViolation("what the service signed is no bundle: \(error)")
            }
            try check(bundle.statements)
        default: throw .protocolViolation("the service's request is done and has no result")
        }
    }

    private func check(_ statements: [String]) throws(ServiceError) {
        for text in statements {
            let claims: Claims
            do throws(InvalidReason) { claims = try UnverifiedStatement(Array(text.utf8).span).claims } catch {
                throw .protocolViolation("what the service signed is no statement: \(error.description)")
            }
            guard claims.payload.hasSameUTF8(as: payload), claims.reason.hasSameUTF8(as: reason),
                claims.level.rawValue == level, claims.reserved[.request]?.hasSameUTF8(as: id) == true,
                users.contains(where: { $0.hasSameUTF8(as: claims.subject.text) })
            else { throw .protocolViolation("the statement says something else than what was asked for") }
        }
    }
}
