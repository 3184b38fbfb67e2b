internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// How many connections each address has open: one alone cannot take the places of all others (attack A4). This machine and
/// proxies stand for many.
final class ConnectionShares: Sendable {
    private let limit: Int
    private let proxies: [AddressBlock]
    private let counts = Mutex<[IPAddress: Int]>([:])

    /// - Parameter limit: how many connections there are in all; an address has a quarter of them.
    init(of limit: Int, proxies: [AddressBlock]) {
        self.limit = max(16, limit / 4)
        self.proxies = proxies
    }

    /// Whose share a connection counts for; nil where it counts for nobody's.
    func owner(of peer: IPAddress?) -> IPAddress? {
        guard let peer, !peer.isLoopback, !proxies.contains(where: { $0.contains(peer) }) else { return nil }
        return peer.network
    }

    /// Counts one more.
    ///
    /// - Returns: whether the share had room for it.
    func enter(_ owner: IPAddress) -> Bool {
        counts.withLock { counts in
            let count = counts[owner, default: 0]
            guard count < limit else { return false }
            counts[owner] = count + 1
            return true
        }
    }

    /// Counts one less.
    func leave(_ owner: IPAddress) {
        counts.withLock { counts in
            guard let count = counts[owner] else { return }
            counts[owner] = count > 1 ? count - 1 : nil
        }
    }

    /// How many addresses have connections that count.
    var count: Int { counts.withLock { $0.count } }
}

/// Closes a connection for which its address has no room.
private final class ShareGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let shares: ConnectionShares
    private var owner: IPAddress?

    init(_ shares: ConnectionShares) { self.shares = shares }

    func channelActive(context: ChannelHandlerContext) {
        if let owner = shares.owner(of: IPAddress(context.remoteAddress)) {
            guard shares.enter(owner) else { return context.close(promise: nil) }
            self.owner = owner
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        guard let owner else { return }
        self.owner = nil
        shares.leave(owner)
    }
}

/// A kind of connection of which an address has no more than its share.
struct ShareLimited<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let shares: ConnectionShares

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        // First, so that it sees the connection before anything else does.
        do { try channel.pipeline.syncOperations.addHandler(ShareGuard(shares)) } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
