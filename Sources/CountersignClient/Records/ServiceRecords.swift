package import Wire

/// A relying service.
public struct ClientRecord: Sendable {
    /// The message it came in.
    package let message: ClientMessage

    /// One that came.
    package init(_ message: ClientMessage) { self.message = message }

    /// Its name, which is the `aud` of what it asks for.
    public var name: String { message.client }
    /// Whether the operator locked it.
    public var isLocked: Bool { message.isLocked }
    /// How it authenticates: `secret` or `key`.
    public var credential: String { message.credential }
    /// The thumbprint of its key (RFC 7638).
    public var thumbprint: String? { message.thumbprint }
    /// When it was added, milliseconds since 1970.
    public var createdAt: Int64 { message.createdAt }
    /// Its secret: only in the answer to the call that made it.
    public var secret: String? { message.secret }
}

/// A setting of the service.
public struct SettingRecord: Sendable {
    /// The message it came in.
    package let message: SettingMessage

    /// One that came.
    package init(_ message: SettingMessage) { self.message = message }

    /// Its name.
    public var name: String { message.name }
    /// Its value.
    public var value: String { message.value }
    /// What it is, and which values it takes.
    public var help: String { message.help }
}

/// A service at a glance. Times are milliseconds since 1970.
public struct StatusRecord: Sendable {
    /// The message it came in.
    package let message: StatusMessage

    /// One that came.
    package init(_ message: StatusMessage) { self.message = message }

    /// The id of its store.
    public var id: String { message.id }
    /// The `iss` of its statements.
    public var issuer: String { message.issuer }
    /// The thumbprint of the key that signs.
    public var signingKey: String? { message.signingKey }
    /// The thumbprint of the root key.
    public var rootKey: String? { message.rootKey }
    /// Whether the service holds the private half of the root key.
    public var holdsRootKey: Bool { message.holdsRootKey }
    /// How many users there are.
    public var users: Int { message.users }
    /// How many statements were signed.
    public var statements: Int { message.statements }
    /// How many signings wait for their answer.
    public var openSignings: Int { message.openCeremonies }
    /// How many rows the audit has.
    public var auditRows: Int { message.auditRows }
    /// When it was made.
    public var createdAt: Int64 { message.createdAt }
    /// The newest recorded time.
    public var newestTime: Int64? { message.newestTime }
}
