internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import Synchronization

/// A request and the answer to it, for whoever answers: on the thread of the connection's event loop, where nothing of this waits, or
/// on any other.
final class Exchange: Sendable {
    /// So many bytes of a body wait for whoever reads them; then the peer waits too.
    private static let readAhead = 65_536

    private struct State {
        var parts = CircularBuffer<ByteBuffer>(initialCapacity: 1)
        var unread = 0
        /// Whether all has come, or why not all will.
        var end: Result<Void, any Error>?
        /// Whether the peer waits.
        var isHeld = false
        var reader: CheckedContinuation<Void, Never>?

        var isFull: Bool { unread > Exchange.readAhead }
    }

    /// The request, without its body.
    let request: HTTPRequest
    /// The connection that it came over, or the stream of one.
    let channel: any Channel
    /// When the request's header was whole.
    let begin = ContinuousClock.now
    private let handler: NIOLoopBound<RequestHandler>
    private let state = Mutex(State())

    init(_ request: HTTPRequest, _ channel: any Channel, _ handler: NIOLoopBound<RequestHandler>) {
        self.request = request
        self.channel = channel
        self.handler = handler
    }

    /// Calls the handler on its loop: at once where that is here.
    private func onLoop(_ call: @escaping @Sendable (RequestHandler) -> Void) {
        if channel.eventLoop.inEventLoop { return call(handler.value) }
        channel.eventLoop.execute { call(self.handler.value) }
    }

    /// Nothing more is read, written or asked.
    func finish(_ failure: (any Error)?) { onLoop { $0.finish(failure) } }
}

// MARK: The request

extension Exchange {
    /// The next part of the body; nil is its end. One at a time asks.
    ///
    /// - Throws: `BrokenRequest` where the rest will not come.
    func next() async throws -> ByteBuffer? {
        while true {
            let (part, end, isFree) = state.withLock { state in
                let part = state.parts.popFirst()
                state.unread -= part?.readableBytes ?? 0
                let isFree = state.isHeld && !state.isFull
                if isFree { state.isHeld = false }
                return (part, state.end, isFree)
            }
            if isFree { onLoop { $0.readAgain() } }
            if let part { return part }
            if let end {
                try end.get()
                return nil
            }
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    guard state.parts.isEmpty, state.end == nil else { return true }
                    state.reader = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    /// A part of the body has come.
    func append(_ part: ByteBuffer) {
        wake { state in
            guard state.end == nil else { return }
            state.parts.append(part)
            state.unread += part.readableBytes
        }
    }

    /// The body is whole, or will not be. Only the first word counts.
    func end(_ end: Result<Void, any Error>) {
        wake { state in
            guard state.end == nil else { return }
            state.end = end
        }
    }

    /// Whether so much waits to be read that the peer has to wait; the handler is told when that is over.
    func holds() -> Bool {
        state.withLock { state in
            state.isHeld = state.isFull
            return state.isHeld
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}

// MARK: The answer

extension Exchange {
    /// Writes a whole answer, of a size for which nobody need wait.
    ///
    /// - Throws: `ChannelError` where the peer has gone.
    func answer(_ head: HTTPResponse, _ body: ByteBuffer? = nil) async throws {
        if channel.eventLoop.inEventLoop { return try handler.value.answer(head, body) }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            onLoop { handler in continuation.resume(with: Result { try handler.answer(head, body) }) }
        }
    }

    /// Writes a part of an answer, and waits until the peer has taken enough of those before it.
    ///
    /// - Throws: `ChannelError` where the peer has gone.
    func write(_ part: HTTPResponsePart) async throws {
        try await withCheckedThrowingContinuation { continuation in
            onLoop { $0.write(part, continuation) }
        }
    }
}
