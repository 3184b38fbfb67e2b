/// A place among those who wait for changes of one topic. It is given back with the value. One at a time waits on it.
package final class ChangeWatch: Sendable {
    private let id: UInt64
    private let hub: ChangeHub

    init(id: UInt64, hub: ChangeHub) {
        self.id = id
        self.hub = hub
    }

    deinit { hub.leave(id) }

    /// Waits for the next change: one since the last wait, or since the watch was taken, ends it at once.
    ///
    /// - Parameter milliseconds: how long; looked at four times a second.
    /// - Returns: `ended` also where the task is cancelled.
    package func next(within milliseconds: Int64) async -> ChangeHub.Wake { await hub.next(id, within: milliseconds) }

    /// Wakes whoever waits for good: the one who is to be told has gone.
    package func end() { hub.end(id) }
}
