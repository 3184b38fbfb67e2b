internal import Synchronization

/// The names of requests that were answered a while ago, of two generations: whoever repeats one is answered without a transaction
/// that fails, and in which those of others would run again. Nothing depends on it; two names may be held for the same.
final class RecentNames: Sendable {
    private struct Generations {
        var new: Set<Int> = []
        var old: Set<Int> = []
    }

    private static let limit = 65_536
    private let names = Mutex(Generations())

    /// Whether it was answered, as far as that is remembered.
    func contains(_ name: RequestName) -> Bool {
        let hash = Self.hash(name)
        return names.withLock { $0.new.contains(hash) || $0.old.contains(hash) }
    }

    /// It was answered.
    func add(_ name: RequestName) {
        let hash = Self.hash(name)
        names.withLock { names in
            if names.new.count >= Self.limit { names = Generations(old: names.new) }
            names.new.insert(hash)
        }
    }

    private static func hash(_ name: RequestName) -> Int {
        var hasher = Hasher()
        hasher.combine(name.owner)
        hasher.combine(name.key)
        return hasher.finalize()
    }
}
