internal import NIOCore

extension Channel {
    /// Whether it is a stream of HTTP/2: its parent is a connection, and that one's the socket that listens.
    var isStream: Bool { parent?.parent != nil }
}
