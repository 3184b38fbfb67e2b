internal import Synchronization

/// How often each of many may do something: a bucket of tokens for each, in memory. The number of buckets is bounded: when
/// there is no room, those that are full again go first, then any.
package final class TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        /// Milliseconds since 1970.
        var at: Int64
    }

    private let burst: Double
    /// Tokens that come back in a millisecond.
    private let rate: Double
    private let capacity: Int
    private let buckets = Mutex<[Key: Bucket]>([:])

    /// Buckets.
    ///
    /// - Parameters:
    ///   - perMinute: how many tokens come back in a minute; 0: there is no limit.
    ///   - burst: how many tokens a full bucket has.
    ///   - capacity: how many buckets there are at most.
    package init(perMinute: Int, burst: Int, capacity: Int = 50_000) {
        rate = Double(perMinute) / 60_000
        self.burst = Double(max(1, burst))
        self.capacity = max(1, capacity)
    }

    /// Takes tokens out of a bucket.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: nil where they were there; else in how many seconds they will be.
    package func take(_ count: Int = 1, of key: Key, at now: Int64) -> Int? {
        guard rate > 0 else { return nil }
        return buckets.withLock { buckets in
            var bucket = buckets[key] ?? Bucket(tokens: burst, at: now)
            refill(&bucket, at: now)
            // Nobody can ask for more at once than a bucket holds.
            let wanted = min(Double(count), burst)
            guard bucket.tokens >= wanted else {
                buckets[key] = bucket
                return max(1, Int(((wanted - bucket.tokens) / rate / 1000).rounded(.up)))
            }
            bucket.tokens -= wanted
            if buckets[key] == nil, buckets.count >= capacity { makeRoom(in: &buckets, at: now) }
            buckets[key] = bucket
            return nil
        }
    }

    /// How many buckets there are.
    package var count: Int { buckets.withLock { $0.count } }

    private func refill(_ bucket: inout Bucket, at now: Int64) {
        // A clock that jumps back gives nothing, and does not take either.
        bucket.tokens = min(burst, bucket.tokens + Double(max(0, now - bucket.at)) * rate)
        bucket.at = now
    }

    private func makeRoom(in buckets: inout [Key: Bucket], at now: Int64) {
        buckets = buckets.filter { $0.value.tokens + Double(max(0, now - $0.value.at)) * rate < burst }
        while buckets.count >= capacity, let key = buckets.keys.first { buckets[key] = nil }
    }
}
