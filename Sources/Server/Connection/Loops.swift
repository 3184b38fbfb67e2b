internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The event loops of a server: their executors, and what is open on them.
final class Loops: Sendable {
    private struct State {
        var open: [ObjectIdentifier: (loop: any EventLoop, cancel: @Sendable () -> Void)] = [:]
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    let group: MultiThreadedEventLoopGroup
    private let executors: [ObjectIdentifier: LoopExecutor]
    private let state = Mutex(State())

    init(_ group: MultiThreadedEventLoopGroup) {
        self.group = group
        executors = Dictionary(
            uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), LoopExecutor($0)) })
    }

    /// Runs tasks on the thread of a loop; nil for one that is not of this server.
    func executor(of loop: any EventLoop) -> LoopExecutor? { executors[ObjectIdentifier(loop)] }

    /// A connection was opened, or a stream of one.
    ///
    /// - Parameter cancel: cancels what it does, and closes it; called on its loop.
    /// - Returns: whether it may do anything: nothing begins once all was cancelled.
    func opened(_ id: ObjectIdentifier, on loop: any EventLoop, cancel: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.open[id] = (loop, cancel) }
            return !state.isCancelled
        }
    }

    /// It was closed, and does nothing any more.
    func closed(_ id: ObjectIdentifier) {
        let waiter = state.withLock { state in
            state.open[id] = nil
            guard state.open.isEmpty else { return CheckedContinuation<Void, Never>?.none }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Cancels whatever is being done on any of them, and closes what is open.
    func cancel() {
        let open = state.withLock { state in
            state.isCancelled = true
            return Array(state.open.values)
        }
        for (loop, cancel) in open { loop.execute(cancel) }
    }

    /// Waits until nothing is open. One at a time may wait.
    func allClosed() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard !state.open.isEmpty else { return true }
                state.waiter = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}

/// A kind of connection that is looked after on the thread of its event loop.
struct OnItsLoop<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let loops: Loops

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await withTaskExecutorPreference(loops.executor(of: value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}
