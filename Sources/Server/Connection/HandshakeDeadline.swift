internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Closes a connection whose TLS handshake takes too long.
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
        context.fireUserInboundEventTriggered(event)
    }
}

/// A kind of connection whose TLS handshake must end in time.
struct HandshakeLimited<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let seconds: Int

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(HandshakeDeadline(.seconds(Int64(seconds))), position: .after(tls))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
