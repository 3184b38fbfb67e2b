internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Closes a connection whose TLS handshake takes too long, and one of which nothing was heard for a long time: before HTTP/2
/// closes, it asks the peer, who may be gone or may not answer.
final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let time: TimeAmount
    private var timer: Scheduled<Void>?

    init(_ time: TimeAmount) { self.time = time }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { timer?.cancel() }
        if case .read? = event as? IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

/// A kind of connection whose TLS handshake must end in time, and whose peer may not be silent for ever.
struct HandshakeLimited<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let seconds: Int
    /// Longer than an answer may take: an attempt that somebody else has taken comes back after 120 seconds.
    private static var silence: TimeAmount { .seconds(150) }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(HandshakeDeadline(.seconds(Int64(seconds))), position: .after(tls))
            try pipeline.addHandler(IdleStateHandler(readTimeout: Self.silence), position: .after(tls))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
