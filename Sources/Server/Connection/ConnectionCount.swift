internal import HummingbirdCore

/// Counts connections, and takes no more than so many.
struct ConnectionCount: AvailableConnectionsDelegate {
    let limit: Int
    let counter: Counter

    mutating func connectionOpened() { counter.add() }
    mutating func connectionClosed() { counter.leave() }
    func isAcceptingNewConnections() -> Bool { counter.value < limit }
}
