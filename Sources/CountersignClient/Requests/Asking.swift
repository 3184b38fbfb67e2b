/// Whoever may ask persons to sign: a relying service, or the profile of one.
public protocol Asking: Sendable {
    /// How it asks.
    var asker: Asker { get }
}

/// How somebody asks a service.
public struct Asker: Sendable {
    let connection: ServiceConnection
    let authorizer: any Authorizer
}

extension RelyingService: Asking {
    /// How it asks.
    public var asker: Asker { Asker(connection: connection, authorizer: authorizer) }
}

extension Account: Asking {
    /// How it asks: where the profile is a relying service's.
    public var asker: Asker { Asker(connection: connection, authorizer: authorizer) }
}
