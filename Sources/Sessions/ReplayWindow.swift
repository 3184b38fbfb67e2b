import CountersignKeys
import Synchronization

/// Remembers which proofs and assertions were used, each for one to two periods (RFC 9449 section 11.1): two generations,
/// of which the older is forgotten when a new period begins. In memory: what was used before a restart no longer counts,
/// because the nonces of that process do not (``NonceSource``).
package final class ReplayWindow: Sendable {
    /// What became of a `jti`.
    package enum Admission: Sendable, Hashable {
        /// It was not seen before, and from now on it was.
        case new
        /// It was seen before: the proof is used.
        case replayed
        /// There is no room to remember it, so it cannot be taken.
        case full
    }

    private struct State {
        var newest: Set<Entry> = []
        var older: Set<Entry> = []
        /// The period that `newest` belongs to.
        var period: Int64 = .min / 2

        /// Begins a new period where one has begun. The sets keep their memory, so that a steady load asks for none.
        mutating func move(to period: Int64) {
            // One period back is threads that read the clock in another order than they come here, or a clock that was set
            // back a little: nothing is forgotten for that.
            guard period > self.period || period < self.period - 1 else { return }
            let isNext = period == self.period + 1 || period < self.period
            swap(&newest, &older)
            newest.removeAll(keepingCapacity: true)
            if !isNext { older.removeAll(keepingCapacity: true) }
            self.period = period
        }
    }

    private let limit: Int
    private let length: Int64
    private let state = Mutex(State())

    /// An empty window.
    ///
    /// - Parameters:
    ///   - limit: How many are remembered in all. Each takes up to 43 bytes.
    ///   - period: The length of a period in milliseconds, at least a second. With that of the nonces, a proof is remembered
    ///     for as long as its nonce counts; for assertions it is the longest time that they may have left.
    package init(limit: Int = 1_000_000, period: Int64 = NonceSource.bucket) {
        self.limit = limit
        length = max(1_000, period)
    }

    /// Takes the `jti` of one proof of a key, at `now` in milliseconds since 1970. Of any number of callers at once with
    /// the same, one gets `new`.
    package func admit(thumbprint: String, jti: String, at now: Int64) -> Admission {
        let entry = Entry(thumbprint: thumbprint, jti: jti)
        let period = now / length
        return state.withLock { state in
            state.move(to: period)
            if state.newest.contains(entry) || state.older.contains(entry) { return .replayed }
            guard state.newest.count + state.older.count < limit else { return .full }
            state.newest.insert(entry)
            return .new
        }
    }

    /// How many are remembered.
    package var count: Int { state.withLock { $0.newest.count + $0.older.count } }
}

/// 16 bytes of the digest of a key and a `jti`: no text from outside is kept, and all entries have one size.
private struct Entry: Hashable {
    private let high: UInt64
    private let low: UInt64

    init(thumbprint: String, jti: String) {
        var digest = SHA256()
        digest.update(thumbprint.utf8.span)
        // A thumbprint has no zero byte, so the two cannot run into each other.
        let separator: [UInt8] = [0]
        digest.update(separator.span)
        digest.update(jti.utf8.span)
        let bytes = digest.finalize()
        high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
