internal import Synchronization

/// The names of requests that were answered a while ago, of two generations: whoever repeats one is answered without a transaction
/// that fails, and in which those of others would run again. Nothing depends on it; two names may be held for the same.
package final class RecentNames: Sendable {
    private struct Generations {
        var new: Set<Int> = []
        var old: Set<Int> = []
    }

    private let limit: Int
    private let names = Mutex(Generations())

    /// No names yet.
    ///
    /// - Parameter limit: how many names are a generation.
    package init(limit: Int = 65_536) { self.limit = limit }

    /// Whether it was answered, as far as that is remembered.
    package func contains(_ name: some Hashable) -> Bool {
        let hash = name.hashValue
        return names.withLock { $0.new.contains(hash) || $0.old.contains(hash) }
    }

    /// It was answered.
    package func add(_ name: some Hashable) {
        let hash = name.hashValue
        names.withLock { names in
            guard !names.new.contains(hash) else { return }
            if names.new.count >= limit { names = Generations(old: names.new) }
            names.new.insert(hash)
        }
    }
}
