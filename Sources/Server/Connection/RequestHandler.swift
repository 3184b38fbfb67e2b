internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Hands the requests of a connection, or of a stream of HTTP/2, to whoever answers them, one after the other, and writes the answers.
///
/// Nothing of a request goes on to the library's own channel behind this handler, which would carry each part through a queue and each
/// answer through another. `ConnectionGuard` before it ends the connection.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let loops: Loops
    private let respond: @Sendable (Exchange) async throws -> Void
    /// Where this is, as long as it is anywhere.
    private var place: (context: ChannelHandlerContext, handler: NIOLoopBound<RequestHandler>, executor: LoopExecutor?)?
    /// The exchange whose answer is being made.
    private var current: (exchange: Exchange, task: Task<Void, Never>)?
    /// Whether the body of that exchange has come to its end.
    private var isWhole = true
    /// What came for those after it.
    private var waiting = CircularBuffer<HTTPRequestPart>()
    /// Whether an answer has said that the connection ends with it.
    private var isOver = false
    /// Who waits until the peer has taken more.
    private var writer: CheckedContinuation<Void, any Error>?
    private var isReadHeld = false

    /// - Parameter respond: answers; what it throws ends the connection.
    init(_ loops: Loops, _ respond: @escaping @Sendable (Exchange) async throws -> Void) {
        self.loops = loops
        self.respond = respond
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let isOpen = loops.opened(ObjectIdentifier(self), on: context.eventLoop) { handler.value.cancel() }
        if isOpen { place = (context, handler, loops.executor(of: context.eventLoop)) }
    }

    private func cancel() {
        current?.task.cancel()
        place?.context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        place = nil
        peerGoes()
        if current == nil { loops.closed(ObjectIdentifier(self)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        peerGoes()
        context.fireChannelInactive()
    }

    private func peerGoes() {
        waiting.removeAll()
        current?.exchange.end(.failure(ConnectionGuard.BrokenRequest()))
        writer?.resume(throwing: ChannelError.ioOnClosedChannel)
        writer = nil
    }

    // MARK: What comes in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if !waiting.isEmpty || !take(part, context) { waiting.append(part) }
    }

    /// Takes the next part of what came.
    ///
    /// - Returns: whether its turn had come.
    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) -> Bool {
        switch part {
        case .head(let head):
            // Nothing behind the last answer is done: nobody would learn of it (RFC 9112 section 9.6).
            guard !isOver else { return true }
            // Whoever does not read answers asks nothing more.
            guard current == nil, context.channel.isWritable else { return false }
            isWhole = false
            begin(head)
        case .body(let buffer):
            guard !isWhole else { return isOver }
            current?.exchange.append(buffer)
        case .end:
            guard !isWhole else { return isOver }
            isWhole = true
            current?.exchange.end(.success(()))
        }
        return true
    }

    private func begin(_ head: HTTPRequest) {
        guard let place else { return }
        let exchange = Exchange(head, place.context.channel, place.handler)
        let task = Task(executorPreference: place.executor) { [respond] in
            do {
                try await respond(exchange)
                exchange.finish(nil)
            } catch {
                exchange.finish(error)
            }
        }
        current = (exchange, task)
    }

    /// The answer is made. What is left of its request's body is nobody's.
    func finish(_ failure: (any Error)?) {
        current = nil
        guard let context = place?.context else { return loops.closed(ObjectIdentifier(self)) }
        guard failure == nil else { return context.close(promise: nil) }
        goOn(context)
    }

    private func goOn(_ context: ChannelHandlerContext) {
        while let part = waiting.first, take(part, context) { waiting.removeFirst() }
        readAgain()
    }

    /// What is read ahead of the answers is bounded.
    func read(context: ChannelHandlerContext) {
        isReadHeld = !waiting.isEmpty || current?.exchange.holds() == true
        if !isReadHeld { context.read() }
    }

    /// Reads, where that was put off and need not be any more.
    func readAgain() {
        if isReadHeld, let context = place?.context { read(context: context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The guard has answered, and ends the connection.
        current?.exchange.end(.failure(error))
    }

    // MARK: What goes out

    /// Writes a whole answer.
    ///
    /// - Throws: `ChannelError` where the peer has gone.
    func answer(_ head: HTTPResponse, _ body: ByteBuffer?) throws {
        guard let context = place?.context, context.channel.isActive else { throw ChannelError.ioOnClosedChannel }
        isOver = Self.isLast(head)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Writes a part of an answer; whoever writes goes on when the peer has taken enough, or has gone.
    func write(_ part: HTTPResponsePart, _ writer: CheckedContinuation<Void, any Error>) {
        guard let context = place?.context, context.channel.isActive else {
            return writer.resume(throwing: ChannelError.ioOnClosedChannel)
        }
        if case .head(let head) = part { isOver = Self.isLast(head) }
        context.writeAndFlush(wrapOutboundOut(part), promise: nil)
        if context.channel.isWritable { return writer.resume() }
        // What was written may have been the end of it.
        guard context.channel.isActive else { return writer.resume(throwing: ChannelError.ioOnClosedChannel) }
        self.writer = writer
    }

    private static func isLast(_ head: HTTPResponse) -> Bool { head.headerFields.contains(.connection) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            writer?.resume()
            writer = nil
            goOn(context)
        }
        context.fireChannelWritabilityChanged()
    }
}
