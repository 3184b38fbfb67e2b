internal import Signing

/// The places of those who watch.
struct ChangePlaces {
    /// One of them.
    struct Place {
        let topic: Topic
        /// Whether something changed that nobody was told yet.
        var isChanged = false
        var isEnded = false
        var waiter: CheckedContinuation<ChangeHub.Wake, Never>?
        /// Milliseconds that the waiter still waits.
        var left: Int64 = 0
    }

    var places: [UInt64: Place] = [:]
    var topics: [Topic: [UInt64]] = [:]
    var next: UInt64 = 0
    /// How many wait now.
    var waiting = 0
    var isStopped = false
    /// When time was looked at; nil while nobody looks.
    private var lookedAt: Int64?

    /// Takes the one out who waits at a place.
    mutating func wake(_ id: UInt64) -> CheckedContinuation<ChangeHub.Wake, Never>? {
        guard let waiter = places[id]?.waiter else { return nil }
        places[id]?.waiter = nil
        places[id]?.isChanged = false
        waiting -= 1
        return waiter
    }

    /// Lets somebody wait.
    ///
    /// - Returns: why they need not, or whether they are the first, so that somebody must look at the time.
    mutating func wait(
        _ id: UInt64, _ waiter: CheckedContinuation<ChangeHub.Wake, Never>, _ milliseconds: Int64, at now: Int64
    ) -> (wake: ChangeHub.Wake?, isFirst: Bool) {
        guard let place = places[id], !place.isEnded, place.waiter == nil else { return (.ended, false) }
        guard !place.isChanged else {
            places[id]?.isChanged = false
            return (.changed, false)
        }
        guard milliseconds > 0 else { return (.timeOver, false) }
        places[id]?.waiter = waiter
        // What passed since the last look will be counted, and nobody waited then.
        places[id]?.left = milliseconds.saturatingAdd(max(0, now - (lookedAt ?? now)))
        waiting += 1
        guard lookedAt == nil else { return (nil, false) }
        lookedAt = now
        return (nil, true)
    }

    /// Lets the time since the last look pass. A clock that was set back lets none pass.
    mutating func look(
        at now: Int64
    ) -> (woken: [CheckedContinuation<ChangeHub.Wake, Never>], isLast: Bool) {
        let passed = max(0, now - (lookedAt ?? now))
        lookedAt = now
        var woken: [CheckedContinuation<ChangeHub.Wake, Never>] = []
        for (id, place) in places where place.waiter != nil {
            places[id]?.left -= passed
            if place.left <= passed, let waiter = wake(id) { woken.append(waiter) }
        }
        let isLast = waiting == 0
        if isLast { lookedAt = nil }
        return (woken, isLast)
    }
}
