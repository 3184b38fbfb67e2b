package import Wire

/// A user as the operator sees them. Times are milliseconds since 1970.
public struct UserRecord: Sendable {
    /// The message it came in.
    package let message: UserMessage

    /// One that came.
    package init(_ message: UserMessage) { self.message = message }

    /// The name.
    public var name: String { message.user }
    /// Whether the operator locked them.
    public var isLocked: Bool { message.isLocked }
    /// Whether so many answers were wrong that the operator must unlock.
    public var needsUnlock: Bool { message.needsUnlock }
    /// Until when their step-up is blocked.
    public var blockedUntil: Int64? { message.blockedUntil }
    /// Wrong answers since the last right one.
    public var wrongAnswers: Int { message.wrongAnswers }
    /// When they were added.
    public var createdAt: Int64 { message.createdAt }
    /// When the password was set; nil: there is none.
    public var passwordSetAt: Int64? { message.passwordSetAt }
    /// Since when none of their devices is asked about new ones, because they said that it was not them; nil: they are.
    public var activationsBlockedAt: Int64? { message.activationsBlockedAt }
}

/// A code with which a user enrols a device. The service shows it this once.
public struct ActivationCodeRecord: Sendable {
    /// The message it came in.
    package let message: ActivationCodeMessage

    /// One that came.
    package init(_ message: ActivationCodeMessage) { self.message = message }

    /// Whose it is.
    public var user: String { message.user }
    /// The code, with hyphens.
    public var code: String { message.code }
    /// When it ends, milliseconds since 1970.
    public var expiresAt: Int64 { message.expiresAt }
}
