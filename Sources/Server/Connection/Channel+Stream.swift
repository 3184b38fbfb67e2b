internal import NIOCore

extension Channel {
    /// Whether it is a stream of HTTP/2: its parent is a connection, and that one's the socket that listens.
    var isStream: Bool { parent?.parent != nil }

    /// Does something when the peer goes, or says that it asks nothing more, before the request is answered that is worked on; at once
    /// where it has gone.
    func whenPeerGoes(_ action: @escaping @Sendable () -> Void) {
        eventLoop.execute {
            guard let guardian = try? self.pipeline.syncOperations.handler(type: ConnectionGuard.self) else {
                return action()
            }
            guardian.whenPeerGoes(action)
        }
    }
}
