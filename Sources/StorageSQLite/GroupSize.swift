/// How many jobs share a commit.
///
/// A group takes no more than half of those that wait or have just been answered, so that the others get their next requests
/// ready while it is written. Where many came lately it is worth a moment to have not much less either: a commit has a cost of its
/// own, and a flush.
package struct GroupSize {
    package typealias Instant = ContinuousClock.Instant

    /// A group is no larger, so that nobody waits long for its commit.
    package static let largest = 256
    /// After so long without a job nobody is expected.
    package static let memory = Instant.Duration.milliseconds(10)

    /// How many the last group had.
    private var answered = 0
    /// How many jobs there lately were at a time.
    private var crowd = 0
    private var idleSince: Instant?

    /// Nobody came yet.
    package init() {}

    /// There is a job again.
    package mutating func begin(at now: Instant) {
        if let idleSince, now - idleSince > Self.memory { (answered, crowd) = (0, 0) }
    }

    /// There is none.
    package mutating func end(at now: Instant) { idleSince = now }

    /// With how many jobs a group is large enough, where so many wait; never more than one where one at a time came lately.
    package mutating func goal(waiting: Int) -> Int {
        crowd = max(waiting + answered, crowd - 1 - crowd / 8)
        return min(crowd / 2, Self.largest)
    }

    /// How many of those that wait are taken.
    package mutating func take(of waiting: Int) -> Int {
        answered = min(waiting, (waiting + answered + 1) / 2, Self.largest)
        return answered
    }
}
