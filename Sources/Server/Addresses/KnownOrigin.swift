internal import Synchronization

/// The origin that clients know: the one that was given, else that of what is listened on, whose port the system may choose.
/// Nothing of a request changes it (attack A8).
final class KnownOrigin: Sendable {
    private let value: Mutex<String>
    private let settings: ServerSettings

    init(_ settings: ServerSettings) {
        self.settings = settings
        value = Mutex(Self.text(settings, port: settings.port))
    }

    /// Scheme, host and port.
    var text: String { value.withLock { $0 } }

    /// From now on this port is listened on. No request comes before.
    func listens(on port: Int) {
        value.withLock { $0 = Self.text(settings, port: port) }
    }

    private static func text(_ settings: ServerSettings, port: Int) -> String {
        if let given = settings.origin { return given }
        let host = settings.host.utf8.contains(UInt8(ascii: ":")) ? "[\(settings.host)]" : settings.host
        // As a URL has it: without the port that goes without saying.
        let isStandard = port == (settings.tls == nil ? 80 : 443)
        return (settings.tls == nil ? "http" : "https") + "://\(host)" + (isStandard ? "" : ":\(port)")
    }
}
