package import NIOCore

/// What a connection with TLS is doing, and how long it may stay: its handshake, and between the streams of HTTP/2. The times
/// within a request are the `ConnectionState`'s.
package struct TLSConnectionState: Sendable {
    private enum Phase {
        /// What is spoken is not agreed on yet.
        case handshake
        /// HTTP/1.1: one request after the other, each with its own times.
        case single
        /// HTTP/2, with so many open streams.
        case streams(Int)
    }

    private var phase = Phase.handshake
    private var deadline: NIODeadline?
    private var isStopping = false
    private let limits: ConnectionLimits

    /// A connection that was just made.
    package init(limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        deadline = now + .seconds(Int64(limits.headSeconds))
    }

    /// The handshake is done.
    package mutating func handshakeEnded(isMultiplexed: Bool, at now: NIODeadline) {
        phase = isMultiplexed ? .streams(0) : .single
        settle(at: now)
    }

    /// A stream begins.
    package mutating func streamOpened() {
        guard case .streams(let count) = phase else { return }
        phase = .streams(count + 1)
        deadline = nil
    }

    /// A stream has ended.
    package mutating func streamClosed(at now: NIODeadline) {
        guard case .streams(let count) = phase, count > 0 else { return }
        phase = .streams(count - 1)
        settle(at: now)
    }

    /// The service stops: whoever asks nothing is not waited for.
    package mutating func stopBegan(at now: NIODeadline) {
        isStopping = true
        settle(at: now)
    }

    private mutating func settle(at now: NIODeadline) {
        switch phase {
        case .single: deadline = nil
        case .streams(let count) where count > 0: deadline = nil
        case .handshake where !isStopping: break
        // The peer was asked to go, and whether a request of its is on the way. It may be gone, or not answer.
        case .handshake, .streams:
            deadline = now + .seconds(Int64((isStopping ? 0 : limits.idleSeconds) + limits.lingerSeconds))
        }
    }

    /// Whether the connection is to be closed at this time.
    package func isOver(at now: NIODeadline) -> Bool { deadline.map { $0 <= now } ?? false }

    /// When the time is to be looked at again.
    package func nextLook(at now: NIODeadline) -> NIODeadline {
        deadline ?? now + .seconds(Int64(isStopping ? limits.lingerSeconds : limits.idleSeconds))
    }
}
