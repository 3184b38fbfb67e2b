internal import NIOCore
internal import NIOHTTP1

/// Tells the guard with which request a connection ends: one of HTTP/1.0, one that says so, and one behind which the decoder
/// expects another protocol, which nobody here speaks.
final class LastRequestWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let guardian: ConnectionGuard

    init(_ guardian: ConnectionGuard) { self.guardian = guardian }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data),
            head.version == .http1_0 || !head.isKeepAlive
                || head.method == .CONNECT || head.headers.contains(name: "upgrade")
        {
            guardian.isLast = true
        }
        context.fireChannelRead(data)
    }
}
