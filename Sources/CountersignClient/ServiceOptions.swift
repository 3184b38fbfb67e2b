/// How a service is asked.
public struct ServiceOptions: Sendable {
    /// A file of certificates (PEM) that are trusted instead of the system's.
    public var certificateAuthorities: String?
    /// Whether plain HTTP may be spoken with a service that is not on this machine: where something else protects the way.
    public var allowsPlainHTTP = false
    /// How long one request may take.
    public var requestTimeout: Duration = .seconds(30)
    /// How long a call may take, with all that is tried again.
    public var deadline: Duration = .seconds(90)
    /// How often a request is sent at most, where sending it again is safe.
    public var attempts = 4

    /// The usual.
    public init() {}
}
