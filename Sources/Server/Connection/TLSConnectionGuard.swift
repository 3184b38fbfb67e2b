internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Closes a connection whose TLS handshake takes too long, and one of HTTP/2 that has no streams: before the library closes that, it
/// asks the peer, who may be gone or may not answer.
final class TLSConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    private var state: TLSConnectionState
    private var timer: Scheduled<Void>?

    init(limits: ConnectionLimits) { state = TLSConnectionState(limits: limits, at: .now()) }

    /// The guard of the connection that a stream belongs to.
    static func of(stream: any Channel) -> TLSConnectionGuard? {
        try? stream.parent?.pipeline.syncOperations.handler(type: TLSConnectionGuard.self)
    }

    func streamOpened() { state.streamOpened() }

    func streamClosed() { state.streamClosed(at: .now()) }

    func handlerAdded(context: ChannelHandlerContext) { look(context) }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
            state.handshakeEnded(isMultiplexed: negotiated == "h2", at: .now())
            look(context)
        }
        if event is ChannelShouldQuiesceEvent {
            state.stopBegan(at: .now())
            look(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// While the service stops, the library closes a connection of HTTP/2 with its last stream, before it has sent the end of that one.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    /// Streams come and go without a look each.
    private func look(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let now = NIODeadline.now()
        guard !state.isOver(at: now) else { return context.close(promise: nil) }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: state.nextLook(at: now)) { [weak self] in
            self?.look(context)
        }
    }
}

/// A kind of connection whose TLS handshake must end in time, and which may not be idle for ever.
struct TLSGuarded<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limits: ConnectionLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(TLSConnectionGuard(limits: limits), position: .after(tls))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
