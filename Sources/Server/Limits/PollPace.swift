internal import CountersignVerifier
internal import Notifications
internal import Synchronization

/// How often a service asks for a request that waits: whoever asks sooner than the interval (OpenID CIBA Core 1.0 section 7.3) has to leave
/// five seconds more from then on (section 11, `slow_down`). Kept in memory: after a restart everybody begins anew, which harms nobody.
final class PollPace: Sendable {
    private struct Pace {
        var askedAt: Int64
        var interval: Int64
    }

    /// More than can be polled in one interval by those few that poll; what is forgotten begins anew.
    private let limit: Int
    private let paces = Mutex<[UUIDText: Pace]>([:])

    init(limit: Int = 16_384) { self.limit = limit }

    /// Notes that a request is asked for.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: nil where that is in time; else how many seconds are to be left from now on.
    func poll(_ id: UUIDText, at now: Int64) -> Int64? {
        paces.withLock { paces in
            guard var pace = paces[id] else {
                if paces.count >= limit { paces.removeAll() }
                paces[id] = Pace(askedAt: now, interval: RequestLife.interval)
                return nil
            }
            let isEarly = now < pace.askedAt + pace.interval * 1000
            pace.askedAt = now
            if isEarly { pace.interval += RequestLife.interval }
            paces[id] = pace
            return isEarly ? pace.interval : nil
        }
    }

    /// Forgets a request that is over.
    func forget(_ id: UUIDText) {
        paces.withLock { _ = $0.removeValue(forKey: id) }
    }
}
