/// What a log-in or a refresh gives: the session, and the only copy of its tokens that there will ever be.
package struct SessionGrant: Sendable {
    /// How the access token is shown: the `token_type` of RFC 6749 section 5.1.
    package enum TokenType: String, Sendable, Hashable, CaseIterable {
        /// With a proof of the session's key at every call: RFC 9449 section 5.
        case dpop = "DPoP"
        /// By itself: RFC 6750.
        case bearer = "Bearer"
    }

    /// The session as it is now.
    package let session: Session
    /// For every call until it ends.
    package let accessToken: SessionToken
    /// For the next pair of tokens, once; services have none.
    package let refreshToken: SessionToken?
    /// How the access token is shown.
    package let tokenType: TokenType
    /// How many seconds the access token lives.
    package let expiresIn: Int

    /// A grant. The session says how its token is shown.
    package init(session: Session, accessToken: SessionToken, refreshToken: SessionToken?, expiresIn: Int) {
        self.session = session
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        tokenType = session.thumbprint == nil ? .bearer : .dpop
    }
}
