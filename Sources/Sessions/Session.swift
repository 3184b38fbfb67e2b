package import CountersignVerifier

/// A log-in that lasts: whose it is, which key proves each of its calls, and until when. Times are milliseconds since 1970.
package struct Session: Sendable, Hashable {
    /// Whose session it is.
    package enum Owner: Sendable, Hashable {
        /// A person on a device.
        case person(UserName)
        /// A relying service, which acts for itself.
        case service(ClientName)
        /// Who runs the service. Operators sign nothing.
        case `operator`
    }

    /// Its name for the owner, who can end it by it. No secret.
    package let id: UUIDText
    /// Whose it is.
    package let owner: Owner
    /// The device of a person.
    package let device: UUIDText?
    /// The key that every call must prove (RFC 9449), by its thumbprint (RFC 7638); nil for a bearer token.
    package let thumbprint: String?
    /// When the owner last gave a password, a one-time token or a client's credential.
    package let authTime: Int64
    /// When it began.
    package let createdAt: Int64
    /// When it was last used, give or take a minute.
    package let lastUsedAt: Int64
    /// When it ends if it is not refreshed: with its refresh token, or with its access token where there is no other.
    package let expiresAt: Int64
    /// When its access token ends.
    package let accessExpiresAt: Int64

    /// A session with all that is known of it.
    package init(
        id: UUIDText, owner: Owner, device: UUIDText?, thumbprint: String?, authTime: Int64, createdAt: Int64,
        lastUsedAt: Int64, expiresAt: Int64, accessExpiresAt: Int64
    ) {
        self.id = id
        self.owner = owner
        self.device = device
        self.thumbprint = thumbprint
        self.authTime = authTime
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.accessExpiresAt = accessExpiresAt
    }
}
