package import Wire

/// A signing key of the service. Times are milliseconds since 1970.
public struct KeyRecord: Sendable {
    /// The message it came in.
    package let message: KeyMessage

    /// One that came.
    package init(_ message: KeyMessage) { self.message = message }

    /// Its thumbprint (RFC 7638).
    public var id: String { message.kid }
    /// Its algorithm.
    public var algorithm: String { message.algorithm }
    /// Whether it signs key histories only.
    public var isRoot: Bool { message.isRoot }
    /// `published`, `active`, `retired` or `revoked`.
    public var state: String { message.state }
    /// Whether the service holds its private half.
    public var hasPrivateHalf: Bool { message.hasPrivateHalf }
    /// When it was made.
    public var publishedAt: Int64 { message.publishedAt }
    /// When it began to sign.
    public var activatedAt: Int64? { message.activatedAt }
    /// When it ended to sign.
    public var retiredAt: Int64? { message.retiredAt }
    /// When it was revoked.
    public var revokedAt: Int64? { message.revokedAt }
    /// `superseded` or `compromised`.
    public var revocation: String? { message.revocation }
}
