internal import Synchronization

/// A number that only grows, or a level: one atomic word.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// The number now.
    var value: Int { number.load(ordering: .relaxed) }

    func add(_ count: Int = 1) { number.wrappingAdd(count, ordering: .relaxed) }

    /// Adds 1.
    ///
    /// - Returns: the number with it.
    func enter() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }

    func leave() { number.wrappingSubtract(1, ordering: .relaxed) }
}
