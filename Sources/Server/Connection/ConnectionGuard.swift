internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import Signing

/// Stands between the HTTP decoder and the service on every connection, and on every stream of HTTP/2: ends what is too
/// slow (attack A4), answers with a problem what could not be decoded (attack A5), and lets a refused peer read why.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A request that ended before it was whole. The peer has its answer already, or cannot get one.
    struct BrokenRequest: Error {}

    private let limits: ConnectionLimits
    private let refuse: @Sendable (Refusal) -> (head: HTTPResponse, body: ByteBuffer)
    private var state: ConnectionState
    private var isStream = false
    /// Knows of this stream as long as it is open.
    private var connection: TLSConnectionGuard?
    private var hasReadPart = false
    private var isInputClosed = false
    /// What is done when the peer goes before the oldest request is answered.
    private var onPeerGone: (@Sendable () -> Void)?
    /// What is answered as soon as the answers before it are written.
    private var pending: Refusal?
    private var timer: Scheduled<Void>?

    /// A guard.
    ///
    /// - Parameter refuse: makes the answer that says why a request is refused.
    init(
        limits: ConnectionLimits, refuse: @escaping @Sendable (Refusal) -> (head: HTTPResponse, body: ByteBuffer)
    ) {
        self.limits = limits
        self.refuse = refuse
        state = ConnectionState(limits: limits, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        isStream = context.channel.isStream
        if isStream {
            connection = .of(stream: context.channel)
            connection?.streamOpened()
        }
        schedule(context)
        // Only what comes out of the decoder still has the version, and what is of the connection alone.
        let pipeline = context.pipeline.syncOperations
        if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            try? pipeline.addHandler(LastRequestWatch(self), position: .after(decoder))
        }
    }

    /// Whether the connection ends with the answer to the newest request, and nothing behind it is read.
    var isLast = false
    private var isLastRead = false
    /// Whether the answer that is written ends only when the peer goes.
    private var isEndless = false
    /// Whether the connection ends as soon as the peer has taken what is written.
    private var isEnding = false

    private func schedule(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: state.tick) { [weak self] in
            guard let self, timer != nil else { return }
            schedule(context)
            tick(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    /// Does something when the peer goes, or says that it sends no more, before the oldest request is answered.
    func whenPeerGoes(_ action: @escaping @Sendable () -> Void) {
        if isInputClosed { action() } else { onPeerGone = action }
    }

    private func peerGoes() {
        onPeerGone?()
        onPeerGone = nil
    }

    private func leave() {
        peerGoes()
        timer?.cancel()
        timer = nil
        connection?.streamClosed()
        connection = nil
    }

    // MARK: What comes in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasReadPart = true
        guard state.inbound != .nothing, pending == nil, !isLastRead else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            state.headRead(at: .now())
            // One read may hold thousands of short requests. What is read ahead of the answers is bounded (attack A4).
            guard state.outstanding <= limits.pipelined else { return end(context, with: Refusal(.tooManyRequests)) }
            guard head.headerFields[.expect]?.lowercased() == "100-continue", state.outstanding == 1 else { break }
            // Who is told to go on has been taken in.
            context.fireChannelRead(data)
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            return
        case .body: break
        case .end:
            state.endRead()
            isLastRead = isLast
        }
        context.fireChannelRead(data)
    }

    /// Nothing more is read where an answer that ends the connection is due.
    func read(context: ChannelHandlerContext) {
        if pending == nil { context.read() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !hasReadPart { state.bytesRead() }
        hasReadPart = false
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard state.inbound != .nothing, pending == nil, !isLastRead else { return }
        if case .body = state.inbound { context.fireErrorCaught(BrokenRequest()) }
        switch error {
        case HTTPParserError.headerOverflow: end(context, with: Refusal(.headersTooLarge))
        case HTTPParserError.invalidEOFState:
            // What ends too early is for nobody, but what was asked before it is answered.
            let isBody = state.inbound == .body
            if state.outstanding == (isBody ? 1 : 0) { return context.close(promise: nil) }
            if isBody { end(context, with: Refusal(.requestMalformed)) }
        case is HTTPParserError: end(context, with: Refusal(.requestMalformed))
        case is IOError, is ChannelError: context.close(promise: nil)
        // A request's head that HTTPTypes refuses, or an error of TLS, which nobody can be told.
        default: isStream ? context.close(promise: nil) : end(context, with: Refusal(.requestMalformed))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            // An answer without end is for nobody who has gone, nor does anybody wait for them; any other is still read by who says that
            // it sends no more.
            isInputClosed = true
            peerGoes()
            if state.isLingering || isEndless { return context.close(promise: nil) }
            endSoon(context)
        case is ChannelShouldQuiesceEvent:
            // The connection of a stream says to the peer that it ends with the streams that are open.
            if !isStream { endSoon(context) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: What goes out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state.inbound != .nothing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.kind != .informational:
            // HTTP/2 has no such field (RFC 9113 section 8.2.2).
            if isStream {
                head.headerFields[.connection] = nil
            } else if isLast, state.outstanding == 1 {
                head.headerFields[.connection] = "close"
            }
            state.responseBegun(closes: head.headerFields[.connection] != nil)
            onPeerGone = nil
            // What has a length has an end; that is asked first, since it costs less.
            isEndless =
                !head.headerFields.contains(.contentLength) && head.headerFields[.contentType] == EventStream.mediaType
            guard isStream || isLast else { break }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: break
        case .end:
            if state.responseEnded(at: .now()) { return writeLast(context, data, promise) }
            guard let pending else { break }
            context.write(data, promise: promise)
            return end(context, with: pending)
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        state.writabilityChanged(context.channel.isWritable, at: .now())
        context.fireChannelWritabilityChanged()
    }

    // MARK: The end

    private func tick(_ context: ChannelHandlerContext) {
        switch state.expiry(at: .now()) {
        case .nothing: break
        case .close: return context.close(promise: nil)
        case .refuse:
            if case .body = state.inbound { context.fireErrorCaught(BrokenRequest()) }
            end(context, with: Refusal(.requestTimeout))
        }
        if isEnding { endSoon(context) }
    }

    /// Ends the connection with the answer to the newest request; where all are answered, when the peer has taken the answers.
    private func endSoon(_ context: ChannelHandlerContext) {
        guard state.inbound != .nothing, pending == nil else { return }
        if state.outstanding > 0 {
            isLast = true
            isLastRead = state.inbound != .body
            state.endWithResponse()
        } else if hasUnsent(context) {
            // The next tick looks again; nothing more is asked.
            (isEnding, isLastRead) = (true, true)
        } else {
            context.close(promise: nil)
        }
    }

    /// Whether the peer has not taken all that is written. What streams write waits in their connection.
    private func hasUnsent(_ context: ChannelHandlerContext) -> Bool {
        guard !isStream, let options = context.channel.syncOptions else { return false }
        return (try? options.getOption(.bufferedWritableBytes)) ?? 0 > 0
    }

    /// Refuses the newest request, after the answers to those before it.
    private func end(_ context: ChannelHandlerContext, with refusal: Refusal) {
        var isBody = false
        if case .body = state.inbound { isBody = true }
        guard state.outstanding == (isBody ? 1 : 0), !state.hasResponseBegun else {
            // The request that is broken has begun to be answered: there is no second answer.
            if isBody, state.outstanding == 1 { return context.close(promise: nil) }
            pending = refusal
            return
        }
        pending = nil
        var (head, body) = refuse(refusal)
        if isStream { head.headerFields[.connection] = nil }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        writeLast(context, wrapOutboundOut(.end(nil)), nil)
    }

    /// Writes the end of the last answer. When the peer has taken it, what comes is still thrown away for a while: a connection that is
    /// closed with unread bytes is reset, and the peer would not see the answer.
    private func writeLast(_ context: ChannelHandlerContext, _ end: NIOAny, _ promise: EventLoopPromise<Void>?) {
        let sent = promise ?? context.eventLoop.makePromise()
        state.end(at: .now())
        context.writeAndFlush(end, promise: sent)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            self.state.linger(at: .now())
            context.close(mode: .output, promise: nil)
            context.read()
        }
    }
}
