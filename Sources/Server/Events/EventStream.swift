internal import SigningService
internal import Synchronization

/// What happens, as it happens: server-sent events, one after the other, until nothing more comes, the session ends, the service stops
/// or the peer goes.
final class EventStream: Sendable {
    static let mediaType = "text/event-stream"

    /// After how many milliseconds without an event something is sent all the same, so that both sides know that the other is there.
    private static let heartbeat: Int64 = 15_000

    private struct State {
        /// The place among those who watch; nil once it is over, so that it is another's.
        var watch: ChangeWatch?
        var isBegun = false
        /// When there is more to tell by the clock alone.
        var due: Int64?
    }

    private let source: any EventSource
    private let now: @Sendable () -> Int64
    private let state: Mutex<State>

    /// A stream of what a source tells whenever the watch says so.
    init(_ source: any EventSource, _ watch: ChangeWatch, now: @escaping @Sendable () -> Int64) {
        self.source = source
        self.now = now
        state = Mutex(State(watch: watch))
    }

    /// Ends it: the peer has gone.
    func end() { state.withLock { $0.watch }?.end() }

    /// What is sent next; nil is the end. One at a time asks.
    func next() async throws -> [UInt8]? {
        if state.withLock({ !$0.isBegun }), let text = try await text() { return text }
        while let watch = state.withLock({ $0.watch }) {
            let wake = await watch.next(within: pause)
            guard wake != .ended else { break }
            do {
                if let text = try await text() { return text }
            } catch {
                // The session has ended. Where the store fails, the client comes again.
                break
            }
            if wake == .timeOver { return Array(":\n\n".utf8) }
        }
        state.withLock { $0.watch = nil }
        return nil
    }

    /// How long nothing need be sent, in milliseconds.
    private var pause: Int64 {
        guard let due = state.withLock({ $0.due }) else { return Self.heartbeat }
        return min(Self.heartbeat, max(0, due - now()))
    }

    /// The events since the last ones; nil where there are none. The first text also says when a client comes again that was cut off.
    private func text() async throws -> [UInt8]? {
        let news = try await source.news()
        let isFirst = state.withLock { state in
            defer { state.isBegun = true }
            state.due = news.due
            if news.isLast { state.watch = nil }
            return !state.isBegun
        }
        guard !news.events.isEmpty else { return nil }
        var text: [UInt8] = []
        if isFirst { text += "retry: 3000\n".utf8 }
        for event in news.events { event.write(to: &text) }
        return text
    }
}
